import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { Problem, type ProblemData, unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import { entryUrl } from '#platform/entry.ts'
import { uploadsFull } from '#platform/files/full-disk.ts'
import { type Inspected, inspectFile } from './inspect-file.ts'
import type { Source } from './layout.ts'

/** What the thread is given: a `Source` that can travel. */
export type InspectOrder = {
  readonly file: string
  /** What the sheets' numbers are put behind. */
  readonly prefix: string
  readonly format: ImportFormat
  readonly sheet: number | undefined
}
export type InspectAnswer =
  | { readonly ok: true; readonly inspected: Inspected }
  | { readonly ok: false; readonly problem: ProblemData }
  | { readonly ok: false; readonly fault: { readonly message: string; readonly stack?: string } }

/** Files that are looked into at once; others wait. */
const AT_ONCE = 2
/** Memory of a thread: what is read of a file at once is bounded far below. */
const OLD_MB = 512
const YOUNG_MB = 24

let running = 0
const waiting: (() => void)[] = []
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= AT_ONCE) await new Promise<void>((next) => waiting.push(next))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

const inThread = (order: InspectOrder): Promise<Inspected> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('../features/imports/inspect/inspect-worker'), {
      workerData: order,
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
      reject(isFull ? unprocessable(sayRefusal('tooMuchMemory')) : error)
    })
    worker.once('exit', () => reject(new Error('the thread that looked into a file has ended')))
  })

/** Bytes of a file that takes less time to look into than a thread takes to start, also when it is packed as tightly as we accept. */
const SMALL = 32_000
/** Formats that take work before the first row of them can be read. */
const isHeavy = (format: ImportFormat): boolean => format === 'xlsx' || format === 'zip' || format === 'parquet'

/**
 * `inspectFile` without keeping anybody waiting: what is packed is unpacked in a thread of its own.
 * @throws Problem unprocessable
 */
export const inspectBeside = async (source: Source, format: ImportFormat, sheet?: number): Promise<Inspected> => {
  if (!isHeavy(format) || (await stat(source.file)).size < SMALL) return inspectFile(source, format, sheet).catch(uploadsFull)
  const order = { file: source.file, prefix: source.unfolded(0).slice(0, -1), format, sheet }
  return inTurn(() => inThread(order)).catch(uploadsFull)
}
