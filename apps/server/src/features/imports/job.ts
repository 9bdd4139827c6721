import { Problem, unavailable } from '@postil/contract/errors.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'
import { importOfJob } from './queries.ts'
import type { Position } from './reading/pieces.ts'
import { idsFrom } from './stem.ts'
import { type Imported, storeImported } from './store-imported.ts'
import { removeUpload, uploadPath } from './uploads.ts'

type Args = Imported & {
  /** Where the next batch begins: rows before it are stored or in the report. */
  readonly position: Position
}
/** `from`: where the batch begins. Null when the file or its dataset is gone. */
type Input = (PreparedBatch & { readonly from: number }) | null

const step = async (db: Db, job: Job, input: Exclude<Input, null>): Promise<StepOutcome> => {
  // The arguments are those that `startImport` made, or this function.
  const args = job.args as Args
  // NOTE: what was prepared before somebody else took the step is of no use
  if (input.from !== args.position.offset) return { finished: false }
  const stored = await storeImported(db, job, args, input)
  if (stored.counts === null) return { finished: false, failed: stored.failed }
  const { broken } = input
  const failed = broken === null ? stored.failed : `Nothing behind line ${broken.line} can be read: ${broken.reason}`
  const position = input.next ?? args.position
  return {
    finished: input.next === null,
    ...(failed !== null && { failed }),
    args: { ...args, position, import: stored.counts },
    done: input.next === null && broken === null ? (job.total ?? 0) : position.offset,
  }
}

const run = async (db: Db, job: Job, input: Input): Promise<StepOutcome> => {
  if (input === null) return { finished: false, failed: 'The file or its dataset is gone' }
  try {
    return await step(db, job, input)
  } catch (error) {
    // NOTE: the dataset was deleted, or the right to add records to it was taken away; another try would end like this one
    if (error instanceof Problem) return { finished: false, failed: error.message }
    throw error
  }
}

const isMissing = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'ENOENT') throw error
  throw unavailable('The uploaded file is not in the folder POSTIL_UPLOAD_DIR of the process that took the job')
}

/** Imports an uploaded file: each step is a batch of rows, stored in the transaction that says how far the file was read. */
export const importFile = jobKind<Input>('imports.file', run, {
  prepare: async ({ store, config }, id) => {
    const found = await store.read(importOfJob, { job_id: id })
    if (found === null) return null
    const { file, schema } = found
    const { mapping, position } = found.args as Args
    const recipe = { mapping, schema, idOf: idsFrom(file.name), limits: limitsOf(config) }
    const place = { layout: file.layout, from: position }
    const batch = await prepareBatch(uploadPath(config, file.id), place, recipe).catch(isMissing)
    return { ...batch, from: position.offset }
  },
  ended: async ({ store, config }, id) => {
    const found = await store.read(importOfJob, { job_id: id })
    if (found !== null) await removeUpload(config, found.file.id)
  },
})
