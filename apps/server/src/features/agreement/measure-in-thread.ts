import { Worker } from 'node:worker_threads'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { entryUrl } from '#platform/entry.ts'
import { type MeasureInput, type Measures, measure } from './measures/measure.ts'

/** Maximum number of answers for which computing the coefficients takes less time than starting a thread. */
const FEW = 200
/** Memory limit of the thread in MB. A million answers to ten questions need less than half. */
const OLD_MB = 2048

/** Computes the coefficients of all questions. Doesn't block the event loop. @throws Problem unprocessable */
export const measureInThread = (inputs: readonly MeasureInput[]): Promise<readonly Measures[]> => {
  const count = inputs.reduce((sum, { answers }) => sum + answers.values.length, 0)
  if (count <= FEW) return Promise.resolve(inputs.map(measure))
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('../features/agreement/measure-worker'), {
      workerData: inputs,
      name: 'agreement',
      resourceLimits: { maxOldGenerationSizeMb: OLD_MB },
    })
    worker.once('message', resolve)
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isFull ? unprocessable('There are too many answers to compare. Select some of the records with a search') : error)
    })
    worker.once('exit', () => reject(new Error('the thread that measures agreement has exited')))
  })
}
