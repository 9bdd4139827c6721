import { Problem, unavailable } from '@postil/contract/errors.ts'
import { maxImportFaults, type RowFault } from '@postil/contract/imports.ts'
import type { ImportCounts, Mapping } from '@postil/contract/jobs.ts'
import type { z } from 'zod'
import type { Actor } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'
import { importOfJob } from './queries.ts'
import type { Position } from './reading/pieces.ts'
import { stemOf } from './stem.ts'
import { storeBatch } from './store-batch.ts'
import { removeUpload, uploadPath } from './uploads.ts'

type Args = {
  readonly import_id: string
  readonly dataset_id: string
  readonly mapping: Mapping
  /** Where the next batch begins: rows before it are stored or in the report. */
  readonly position: Position
  readonly import: z.infer<typeof ImportCounts>
}
/** `from`: where the batch begins. Null when the file or its dataset is gone. */
type Input = (PreparedBatch & { readonly from: number }) | null

const starterOf = async (db: Db, id: string | null): Promise<Actor | null> => {
  if (id === null) return null
  const user = await db.sql.selectFrom('users').select(['id', 'role', 'deactivated_at']).where('id', '=', id).executeTakeFirst()
  return user === undefined || user.deactivated_at !== null ? null : { id: user.id, role: user.role }
}

const report = (db: Db, { dataset_no }: Job, importId: string, faults: readonly RowFault[]): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'import_faults',
    faults.map(({ row, line, column, reason }) => ({
      import_id: importId,
      dataset_no: dataset_no ?? 0,
      row_no: row,
      line_no: line,
      column_name: column,
      fault: reason,
    })),
  )

const whyItEnds = ({ broken }: PreparedBatch, failed: number): string | null => {
  if (broken !== null) return `Nothing behind line ${broken.line} can be read: ${broken.reason}`
  return failed > maxImportFaults ? `More than ${maxImportFaults} rows cannot become records` : null
}

const step = async (db: Db, job: Job, input: Exclude<Input, null>): Promise<StepOutcome> => {
  // The arguments are those that `startImport` made, or this function.
  const args = job.args as Args
  // NOTE: what was prepared before somebody else took the step is of no use
  if (input.from !== args.position.offset) return { finished: false }
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: 'Whoever started the import may not sign in any more' }
  const stored = await storeBatch(db, { user, dataset_id: args.dataset_id, mapping: args.mapping, ...input })
  const faults = [...input.faults, ...stored.faults]
  if (faults.length > 0) await report(db, job, args.import_id, faults)
  const counts = {
    rows: args.import.rows + input.rows,
    created: args.import.created + stored.created,
    updated: args.import.updated + stored.updated,
    failed: args.import.failed + faults.length,
  }
  const failed = whyItEnds(input, counts.failed)
  const position = input.next ?? args.position
  return {
    finished: input.next === null,
    ...(failed !== null && { failed }),
    args: { ...args, position, import: counts },
    done: input.next === null && input.broken === null ? (job.total ?? 0) : position.offset,
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
    const recipe = { mapping, schema, stem: stemOf(file.name), limits: limitsOf(config) }
    const place = { layout: file.layout, from: position }
    const batch = await prepareBatch(uploadPath(config, file.id), place, recipe).catch(isMissing)
    return { ...batch, from: position.offset }
  },
  ended: async ({ store, config }, id) => {
    const found = await store.read(importOfJob, { job_id: id })
    if (found !== null) await removeUpload(config, found.file.id)
  },
})
