import { query } from '#platform/db/operations.ts'
import type { JobContext } from '#platform/jobs/kinds.ts'

const dropVectorIndex = query(
  'jobs.drop-vector-index',
  async (db, { id }: { readonly id: string }): Promise<void> => {
    const job = await db.sql.selectFrom('jobs').select(['dataset_no', 'args']).where('id', '=', id).executeTakeFirst()
    if (job === undefined || job.dataset_no === null) return
    const { setting_no, property_no } = job.args as { readonly [name: string]: unknown }
    if (property_no !== undefined) return
    const settingNo = typeof setting_no === 'number' ? setting_no : null
    await db.dialect.vectors.dropIndex(db.sql, { datasetNo: job.dataset_no, settingNo })
  },
  { single: true },
)

/**
 * Of a job that removes vectors: their index goes first, so that none is left over an empty part of the table, and the vectors go faster.
 * Without `setting_no` among the job's arguments it is about all settings of the dataset.
 */
export const withoutVectorIndex = {
  prepare: async ({ store, log }: JobContext, id: string): Promise<undefined> => {
    try {
      await store.read(dropVectorIndex, { id })
    } catch (error) {
      // NOTE: the vectors can go without it, and the next step tries again
      log.warn({ err: error, job: id }, 'the index of deleted vectors could not be removed')
    }
  },
  ended: async (): Promise<void> => undefined,
}
