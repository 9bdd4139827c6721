import type { Mapping } from '@postil/contract/jobs.ts'
import { loadSchema } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { ImportArgs } from './import/import-args.ts'

/** The dataset of a job, if it still exists. */
export const datasetOfJob = async (db: Db, job_id: string) => {
  const job = await db.sql
    .selectFrom('jobs')
    .select(['args', 'dataset_no', 'user_id'])
    .where('id', '=', job_id)
    .executeTakeFirst()
  const dataset = await db.sql
    .selectFrom('datasets')
    .select(['id', 'status'])
    .where('no', '=', job?.dataset_no ?? -1)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  return job === undefined || dataset === undefined ? null : { job, dataset }
}

/** The data that the next batch of an import needs. Null when the import's dataset no longer exists. */
export const importOfJob = query('hub.import-of-job', async (db, { job_id }: { readonly job_id: string }) => {
  const found = await datasetOfJob(db, job_id)
  if (found === null) return null
  const schema = await loadSchema(db, found.dataset.id)
  // The arguments were written by `startImport` or by a step of the job.
  return { args: found.job.args as unknown as ImportArgs, isReady: found.dataset.status === 'ready', schema }
})

/** The columns that a mapping uses. */
export const columnsOf = ({ fields, metadata, suggestions, external_id }: Mapping): string[] => [
  ...new Set([...[...fields, ...metadata, ...suggestions].map(({ source }) => source), ...(external_id ? [external_id] : [])]),
]
