import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@postil/contract/wire/errors.ts'
import { inspectFile } from './inspect-file.ts'
import type { InspectAnswer, InspectRequest } from './inspect-in-thread.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')

const answerTo = async ({ file, prefix, format, choice }: InspectRequest): Promise<InspectAnswer> => {
  try {
    const source = { file, unfolded: (no: number) => `${prefix}${no}`, text: () => file }
    return { ok: true, inspected: await inspectFile(source, format, choice) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.data }
    const { message, stack } = error as Error
    return { ok: false, fault: { message, ...(stack && { stack }) } }
  }
}

port.postMessage(await answerTo(workerData as InspectRequest))
// Exits explicitly. A Parquet file stays open for the next read, but this thread has no next read
process.exit()
