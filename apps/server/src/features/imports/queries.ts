import type { FileMapping, RowFault } from '@postil/contract/files/imports.ts'
import { forbidden, notFound, type Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { currentFields, datasetScope, loadSchema, recordPolicy, type Schema } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { JobRow } from '#platform/jobs/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import type { Micros } from '#platform/time.ts'
import { checkAnsweringUsers } from './answering-users.ts'
import { findFreeName } from './inspect/free-name.ts'
import type { Layout } from './inspect/layout.ts'
import { importPolicy } from './policy.ts'

type DatasetArgs = { readonly user: Actor; readonly dataset_id: string }
type FileKey = DatasetArgs & { readonly file_id: string }

/** The dataset number for files without a dataset. Real dataset numbers start at 1. */
export const NO_DATASET = 0
export type Target = { readonly schema: Schema; readonly no: number; readonly allowExtra: boolean; readonly isReady: boolean }
export type ImportRow = {
  readonly id: string
  readonly name: string
  readonly layout: Layout
  readonly size: number
  readonly job_id: string | null
  readonly inserted_at: Micros
}

export const startedBefore = (job: string): Problem =>
  unprocessable(`The import of this file was already started as job ${job}. To import it again, upload it again`)

/** The dataset, if the user may add records. @throws Problem not_found, forbidden */
export const targetOf = async (db: Db, { user, dataset_id }: DatasetArgs, lock = false): Promise<Target> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: lock })
  if (!recordPolicy.create(user, dataset)) throw forbidden()
  const schema = await loadSchema(db, dataset.id)
  return { schema, no: dataset.no, allowExtra: dataset.allow_extra_metadata, isReady: dataset.status === 'ready' }
}

/** Selects complete files. */
export const importRows = (db: Db) =>
  db.sql.selectFrom('imports').select(['id', 'name', 'layout', 'size', 'job_id', 'inserted_at']).where('arriving', 'is', null)

export const importTarget = query('imports.target', (db, datasetArgs: DatasetArgs): Promise<Target> => targetOf(db, datasetArgs))

/** Checks the users to whom the mapping attributes answers. @throws Problem not_found, forbidden, unprocessable */
export const checkAnswerers = query(
  'imports.check-answerers',
  async (db, { mapping, ...datasetArgs }: DatasetArgs & { readonly mapping: FileMapping }): Promise<void> =>
    checkAnsweringUsers(db, (await targetOf(db, datasetArgs)).no, mapping),
)

/** An uploaded file of a dataset, or one of the caller's own files without a dataset. */
export const fileFor = (db: Db, no: number, { user, file_id }: Pick<FileKey, 'user' | 'file_id'>) =>
  importRows(db)
    .where('id', '=', file_id)
    .where((eb) => eb.or([eb('dataset_no', '=', no), eb.and([eb('dataset_no', '=', NO_DATASET), eb('user_id', '=', user.id)])]))

/** A file that the caller uploaded for a dataset that doesn't exist yet. @throws Problem not_found, forbidden */
export const findMyImport = query(
  'imports.find-mine',
  async (db, { user, file_id }: Pick<FileKey, 'user' | 'file_id'>): Promise<ImportRow> => {
    const query = importRows(db).select('user_id').where('id', '=', file_id).where('dataset_no', '=', NO_DATASET)
    const file = await query.executeTakeFirst()
    if (file === undefined) throw notFound('File', file_id)
    if (!importPolicy.checkMine(user, file.user_id)) throw forbidden()
    return file as unknown as ImportRow
  },
)

/** The base names that running imports use for rows without an ID. Read from the arguments with which the imports started. */
const reservedNames = async (db: Db, datasetNo: number): Promise<ReadonlySet<string>> => {
  const jobs = await db.sql
    .selectFrom('jobs')
    .select('args')
    .where('dataset_no', '=', datasetNo)
    .where('state', 'in', UNFINISHED)
    .execute()
  return new Set(jobs.flatMap(({ args }) => (typeof args['named'] === 'string' ? [args['named']] : [])))
}

/**
 * Returns a base name for the records from a file. The IDs of rows without an ID are derived from it. No existing record of the
 * dataset and no running import uses the name.
 */
export const nameIn = async (db: Db, datasetNo: number, file: string): Promise<string> =>
  findFreeName(db, datasetNo, { file, reserved: await reservedNames(db, datasetNo) })

/** Like `nameIn`, for a user who may add records. @throws Problem not_found, forbidden */
export const nameOfRows = query(
  'imports.name-of-rows',
  async (db, { file, ...datasetArgs }: DatasetArgs & { readonly file: string }) =>
    nameIn(db, (await targetOf(db, datasetArgs)).no, file),
)

/**
 * An uploaded file of a dataset, the schema for its rows, and the base name for rows without an ID. @throws Problem not_found,
 * forbidden
 */
export const findImport = query(
  'imports.find',
  async (db, { file_id, ...datasetArgs }: FileKey): Promise<{ target: Target; file: ImportRow; named: string }> => {
    const target = await targetOf(db, datasetArgs)
    const file = await importRows(db).where('id', '=', file_id).where('dataset_no', '=', target.no).executeTakeFirst()
    if (file === undefined) throw notFound('File', file_id)
    // The layout was created by `openLayout`.
    return { target, file: file as unknown as ImportRow, named: await nameIn(db, target.no, file.name) }
  },
)

/**
 * The current fields, as JSON, of the records that a batch of rows would update; null for new records. @throws Problem
 * not_found, forbidden
 */
export const currentFieldsOf = query(
  'imports.standing',
  async (db, { packed, ...datasetArgs }: DatasetArgs & { readonly packed: Uint8Array }) =>
    currentFields(db, (await targetOf(db, datasetArgs)).no, packed),
)

const MAX_LISTED = 20
export type StartedImport = {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly inserted_at: Micros
  readonly job: JobRow
}

/**
 * The latest imports into a dataset, newest first. Leaves out imports whose jobs are no longer stored. @throws Problem
 * not_found, forbidden
 */
export const startedImports = query(
  'imports.started',
  async (db, datasetArgs: DatasetArgs): Promise<readonly StartedImport[]> => {
    const { no } = await targetOf(db, datasetArgs)
    const rows = await db.sql
      .selectFrom('imports')
      .innerJoin('jobs', 'jobs.id', 'imports.job_id')
      .select(['imports.id', 'imports.name', 'imports.size', 'imports.inserted_at', 'imports.job_id'])
      .select(['jobs.kind', 'jobs.user_id', 'jobs.args', 'jobs.state', 'jobs.done', 'jobs.total'])
      .select(['jobs.reason', 'jobs.reason_parts'])
      .where('imports.dataset_no', '=', no)
      .orderBy('imports.inserted_at', 'desc')
      .limit(MAX_LISTED)
      .execute()
    return rows.map(({ id, name, size, inserted_at, job_id, ...job }) => ({
      id,
      name,
      size,
      inserted_at,
      job: { ...job, id: job_id ?? '' },
    }))
  },
)

type FaultPage = { readonly import_id: string; readonly after: number; readonly limit: number }

/** Rows that an import rejected, in order, after a given row. */
export const faultsAfter = query(
  'imports.faults-after',
  async (db, { import_id, after, limit }: FaultPage): Promise<readonly RowFault[]> => {
    const rows = await db.sql
      .selectFrom('import_faults')
      .select(['row_no', 'line_no', 'column_name', 'fault'])
      .where('import_id', '=', import_id)
      .where('row_no', '>', after)
      .orderBy('row_no')
      .limit(limit)
      .execute()
    return rows.map(({ row_no, line_no, column_name, fault }) => ({
      row: row_no,
      line: line_no,
      column: column_name,
      reason: fault,
    }))
  },
)

/** The file that a job imports, and the data for its next batch; null when the file or its dataset no longer exists. */
export const importOfJob = query('imports.of-job', async (db, { job_id }: { readonly job_id: string }) => {
  const job = await db.sql.selectFrom('jobs').select(['args', 'dataset_no']).where('id', '=', job_id).executeTakeFirst()
  const file = await importRows(db).where('job_id', '=', job_id).executeTakeFirst()
  const dataset = await db.sql
    .selectFrom('datasets')
    .select('id')
    .where('no', '=', job?.dataset_no ?? -1)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  if (job === undefined || file === undefined || dataset === undefined) return null
  return { file: file as unknown as ImportRow, args: job.args, schema: await loadSchema(db, dataset.id) }
})

/** The given IDs that belong to uploaded files. */
export const knownImports = query(
  'imports.known',
  async (db, { ids }: { readonly ids: readonly string[] }): Promise<string[]> => {
    if (ids.length === 0) return []
    const rows = await db.sql.selectFrom('imports').select('id').where('id', 'in', ids).execute()
    return rows.map(({ id }) => id)
  },
)
