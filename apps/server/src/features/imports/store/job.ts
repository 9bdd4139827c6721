import { isTextFormat } from '@postil/contract/files/import-formats.ts'
import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { type Job, type JobContext, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { brokenAt, doneAt, type Layout, rowsNameColumns } from '../inspect/layout.ts'
import { idsFrom, stemOf } from '../inspect/stem.ts'
import { importOfJob } from '../queries.ts'
import type { Position } from '../reading/pieces.ts'
import { laterColumns } from '../rows/later-columns.ts'
import { imageColumns, type PreparedBatch, prepareRead, readRows } from '../rows/prepare-batch.ts'
import { catchUp, hasIds, idsOfJobs } from '../rows/seen-ids.ts'
import { removeUpload, sourceOf } from '../uploads.ts'
import { type Imported, storeImported } from './store-imported.ts'

type Args = Imported & {
  /** Where the next batch begins. Earlier rows are either stored or listed in the report. */
  readonly position: Position
  /** The base name for rows without an ID. Missing in imports that an earlier version of Postil started. */
  readonly named?: string
  /** The server's address, for URLs in the imported records. */
  readonly base: string
}
/**
 * Maximum number of rows in a batch that may contain images. Images are sent to the file store one by one, so a larger batch
 * could take longer than the claim on the job, which lasts only seconds.
 */
const IMAGE_ROWS = 100
/**
 * The next batch of an import. `from`: the position in the file at which the batch begins. The whole input is null when the file
 * or its dataset no longer exists.
 */
type Input = (PreparedBatch & { readonly from: number; readonly layout: Layout; readonly later: readonly string[] }) | null

const runStep = async (db: Db, job: Job, input: Exclude<Input, null>): Promise<StepOutcome> => {
  // The arguments were written by `startImport` or by this function.
  const args = job.args as Args
  // A different position means that the input was prepared before another process took over the step, so the input is outdated
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
  if (input === null) return { finished: false, failed: message('fileGone') }
  try {
    return await runStep(db, job, input)
  } catch (error) {
    // The dataset was deleted, or the right to add records was revoked. A retry would end the same way
    if (error instanceof Problem) return { finished: false, failed: error.reason }
    throw error
  }
}

export const importedIds = idsOfJobs<Position>()

const isMissing = (error: NodeJS.ErrnoException): never => {
  if (error instanceof FileStoreFault) throw unavailable(error.message)
  if (error.code !== 'ENOENT') throw error
  throw unavailable(
    'The uploaded file is not in the POSTIL_UPLOAD_DIR folder of the process that runs the job. All processes must share this folder',
  )
}

/**
 * Reads a batch, starting at a position.
 * @param from default: the end of the last stored batch
 */
const prepare = async ({ store, config }: JobContext, id: string, from?: Position): Promise<Input> => {
  const found = await store.read(importOfJob, { job_id: id })
  if (found === null) return null
  const { file, schema } = found
  const { mapping, position, dataset_id, base, named } = found.args as Args
  const ids = { idOf: idsFrom(named ?? stemOf(file.name)), isNewWithoutId: named !== undefined }
  const recipe = {
    mapping,
    schema,
    ...ids,
    limits: limitsOf(config),
    rowsNameColumns: rowsNameColumns(file.layout),
    decimalCommas: file.layout.decimalCommas,
  }
  // If the dataset is deleted while the rows are read, its files may be removed before new images are stored. Nothing would ever
  // remove these images. After the read, it is therefore checked that the import still exists
  const { format } = file.layout
  const mayStoreImages = format === 'zip' || (!isTextFormat(format) && imageColumns(recipe).size > 0)
  const place = { layout: file.layout, from: from ?? position, ...(mayStoreImages && { limit: IMAGE_ROWS }) }
  const images = { kind: 'keep', config, dataset_id, base } as const
  const source = sourceOf(config, file.id)
  const known = importedIds.of(id, file.layout.first)
  if (hasIds(mapping))
    await catchUp(known, place.from, { source, layout: file.layout, mapping, idOf: recipe.idOf }).catch(isMissing)
  const rows = await readRows(source, place, { recipe, images }).catch(isMissing)
  const batch = prepareRead(rows, recipe, known.seen)
  if (batch.next !== null && batch.next.row > known.upTo.row) known.upTo = batch.next
  if (mayStoreImages && (await store.read(importOfJob, { job_id: id })) === null) {
    await (await fileStore(config)).remove(dataset_id)
    return null
  }
  return { ...batch, from: place.from.offset, layout: file.layout, later: laterColumns(rows.rows, file.layout, mapping) }
}

/** Imports an uploaded file. Each step stores a batch of rows in the same transaction as its progress. */
export const importFile = jobKind<Input>('imports.file', run, {
  prepare: (ctx, id) => prepare(ctx, id),
  prepareNext: (ctx, id, input) => (input === null || input.next === null ? null : prepare(ctx, id, input.next)),
  ended: async ({ store, config }, id) => {
    importedIds.forget(id)
    const found = await store.read(importOfJob, { job_id: id })
    if (found !== null) await removeUpload(config, found.file.id)
  },
})
