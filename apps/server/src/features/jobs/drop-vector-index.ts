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

/** Looking for it costs more than a short step, and an index may still be in the making when the job begins. */
const LOOK_AGAIN_MS = 5_000
/** When it was last looked, by the job's id. */
const lookedAt = new Map<string, number>()

/**
 * Of a job that removes vectors: their index goes first, so that none is left over an empty part of the table, and the vectors go faster.
 * Without `setting_no` among the job's arguments it is about all settings of the dataset.
 */
export const withoutVectorIndex = {
  prepare: async ({ store, log }: JobContext, id: string): Promise<undefined> => {
    if (performance.now() - (lookedAt.get(id) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS) return
    try {
      await store.read(dropVectorIndex, { id })
      lookedAt.set(id, performance.now())
    } catch (error) {
      // NOTE: the vectors can go without it, and the next step tries again
      log.warn({ err: error, job: id }, 'the index of deleted vectors could not be removed')
    }
  },
  ended: async (_ctx: JobContext, id: string): Promise<void> => {
    lookedAt.delete(id)
  },
}
