import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { Problem, type ProblemData, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { entryUrl } from '#platform/entry.ts'
import { uploadsFull } from '#platform/files/full-disk.ts'
import { type Inspected, inspectFile } from './inspect-file.ts'
import type { Source } from './layout.ts'
import type { ReadingChoice } from './reading.ts'

/** The thread's input: a `Source` that can be cloned. */
export type InspectRequest = {
  readonly file: string
  /** The start of the path of an unfolded sheet. The sheet number follows it. */
  readonly prefix: string
  readonly format: ImportFormat
  readonly choice: ReadingChoice
}
export type InspectAnswer =
  | { readonly ok: true; readonly inspected: Inspected }
  | { readonly ok: false; readonly problem: ProblemData }
  | { readonly ok: false; readonly fault: { readonly message: string; readonly stack?: string } }

/** Maximum number of files to inspect concurrently. Other files wait. */
const MAX_CONCURRENT = 2
/** Memory limits of a thread in MB. Each read of a file stays far below them. */
const OLD_MB = 512
const YOUNG_MB = 24

let running = 0
const waiting: (() => void)[] = []
const runQueued = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= MAX_CONCURRENT) await new Promise<void>((next) => waiting.push(next))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

const inThread = (request: InspectRequest): Promise<Inspected> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('../features/imports/inspect/inspect-worker'), {
      workerData: request,
      name: 'files',
      resourceLimits: { maxOldGenerationSizeMb: OLD_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.once('message', (answer: InspectAnswer) => {
      if (answer.ok) resolve(answer.inspected)
      else if ('problem' in answer) reject(new Problem(answer.problem))
      else reject(Object.assign(new Error(answer.fault.message), answer.fault))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isFull ? unprocessable(message('tooMuchMemory')) : error)
    })
    worker.once('exit', () => reject(new Error('the thread that inspects files has exited')))
  })

/**
 * Files below this size, in bytes, are inspected without a thread. Starting a thread takes longer than inspecting such a file,
 * even at the highest accepted compression.
 */
const SMALL = 32_000
/** Formats that need processing before their first row can be read. */
const isHeavy = (format: ImportFormat): boolean => format === 'xlsx' || format === 'zip' || format === 'parquet'

/**
 * Runs `inspectFile` without blocking the event loop: compressed formats are unpacked in a thread.
 * @throws Problem unprocessable
 */
export const inspectInThread = async (source: Source, format: ImportFormat, choice: ReadingChoice = {}): Promise<Inspected> => {
  if (!isHeavy(format) || (await stat(source.file)).size < SMALL) return inspectFile(source, format, choice).catch(uploadsFull)
  const request = { file: source.file, prefix: source.unfolded(0).slice(0, -1), format, choice }
  return runQueued(() => inThread(request)).catch(uploadsFull)
}
