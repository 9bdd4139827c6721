import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@postil/contract/wire/errors.ts'
import type { InspectAnswer, InspectOrder } from './inspect-beside.ts'
import { inspectFile } from './inspect-file.ts'

const port = parentPort
if (port === null) throw new Error('runs as a worker thread only')

const answerTo = async ({ file, prefix, format, sheet }: InspectOrder): Promise<InspectAnswer> => {
  try {
    const source = { file, unfolded: (no: number) => `${prefix}${no}` }
    return { ok: true, inspected: await inspectFile(source, format, sheet) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.data }
    const { message, stack } = error as Error
    return { ok: false, fault: { message, ...(stack && { stack }) } }
  }
}

port.postMessage(await answerTo(workerData as InspectOrder))
// NOTE: a Parquet file stays open for a while for whoever reads it next, which nobody does here
process.exit()
