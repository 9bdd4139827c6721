import { isTextFormat } from '@postil/contract/files/import-formats.ts'
import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { type Job, type JobContext, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { brokenAt, doneAt, type Layout, rowsNameColumns } from '../inspect/layout.ts'
import { idsFrom, stemOf } from '../inspect/stem.ts'
import { importOfJob } from '../queries.ts'
import type { Position } from '../reading/pieces.ts'
import { type PreparedBatch, pictureColumns, prepareRead, readRows } from '../rows/prepare-batch.ts'
import { catchUp, hasIds, idsOfJobs } from '../rows/seen-ids.ts'
import { removeUpload, sourceOf } from '../uploads.ts'
import { type Imported, storeImported } from './store-imported.ts'

type Args = Imported & {
  /** Where the next batch begins: rows before it are stored or in the report. */
  readonly position: Position
  /** What rows without an id are called; left out by imports that began before there were such names. */
  readonly named?: string
  /** Address of the server, for what its records name. */
  readonly base: string
}
/** Pictures are sent to their store one by one, and the job is held only for seconds. */
const PICTURE_ROWS = 100
/** `from`: where the batch begins. Null when the file or its dataset is gone. */
type Input = (PreparedBatch & { readonly from: number; readonly layout: Layout }) | null

const step = async (db: Db, job: Job, input: Exclude<Input, null>): Promise<StepOutcome> => {
  // The arguments are those that `startImport` made, or this function.
  const args = job.args as Args
  // NOTE: what was prepared before somebody else took the step is of no use
  if (input.from !== args.position.offset) return { finished: false }
  const stored = await storeImported(db, job, args, input)
  if (stored.counts === null) return { finished: false, failed: stored.failed }
  const { broken } = input
  const failed = broken === null ? stored.failed : brokenAt(input.layout, broken)
  const position = input.next ?? args.position
  return {
    finished: input.next === null,
    ...(failed !== null && { failed }),
    args: { ...args, position, import: stored.counts },
    done: input.next === null && broken === null ? (job.total ?? 0) : doneAt(input.layout, position, job.total ?? 0),
  }
}

const run = async (db: Db, job: Job, input: Input): Promise<StepOutcome> => {
  if (input === null) return { finished: false, failed: sayReason('fileGone') }
  try {
    return await step(db, job, input)
  } catch (error) {
    // NOTE: the dataset was deleted, or the right to add records to it was taken away; another try would end like this one
    if (error instanceof Problem) return { finished: false, failed: error.message }
    throw error
  }
}

export const importedIds = idsOfJobs<Position>()

const isMissing = (error: NodeJS.ErrnoException): never => {
  if (error instanceof FileStoreFault) throw unavailable(error.message)
  if (error.code !== 'ENOENT') throw error
  throw unavailable('The uploaded file is not in the folder POSTIL_UPLOAD_DIR of the process that took the job')
}

/**
 * Reads a batch from a place on.
 * @param from left out: where the last stored batch ended
 */
const prepare = async ({ store, config }: JobContext, id: string, from?: Position): Promise<Input> => {
  const found = await store.read(importOfJob, { job_id: id })
  if (found === null) return null
  const { file, schema } = found
  const { mapping, position, dataset_id, base, named } = found.args as Args
  const ids = { idOf: idsFrom(named ?? stemOf(file.name)), isNewWithoutId: named !== undefined }
  const recipe = { mapping, schema, ...ids, limits: limitsOf(config), rowsNameColumns: rowsNameColumns(file.layout) }
  // NOTE: of a dataset that was deleted meanwhile the files may be removed already, and these would stay for ever
  const { format } = file.layout
  const mayKeep = format === 'zip' || (!isTextFormat(format) && pictureColumns(recipe).size > 0)
  const place = { layout: file.layout, from: from ?? position, ...(mayKeep && { limit: PICTURE_ROWS }) }
  const pictures = { kind: 'keep', config, dataset_id, base } as const
  const source = sourceOf(config, file.id)
  const known = importedIds.of(id, file.layout.first)
  if (hasIds(mapping))
    await catchUp(known, place.from, { source, layout: file.layout, mapping, idOf: recipe.idOf }).catch(isMissing)
  const rows = await readRows(source, place, { recipe, pictures }).catch(isMissing)
  const batch = prepareRead(rows, recipe, known.seen)
  if (batch.next !== null && batch.next.row > known.upTo.row) known.upTo = batch.next
  if (mayKeep && (await store.read(importOfJob, { job_id: id })) === null) {
    await (await fileStore(config)).remove(dataset_id)
    return null
  }
  return { ...batch, from: place.from.offset, layout: file.layout }
}

/** Imports an uploaded file: each step is a batch of rows, stored in the transaction that says how far the file was read. */
export const importFile = jobKind<Input>('imports.file', run, {
  prepare: (ctx, id) => prepare(ctx, id),
  ahead: (ctx, id, input) => (input === null || input.next === null ? null : prepare(ctx, id, input.next)),
  ended: async ({ store, config }, id) => {
    importedIds.forget(id)
    const found = await store.read(importOfJob, { job_id: id })
    if (found !== null) await removeUpload(config, found.file.id)
  },
})
