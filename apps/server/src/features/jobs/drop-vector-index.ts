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
/** Within this a store that is not busy with the index of another setting has removed it. */
const SOON_MS = 50

type Look = { isOver: boolean; readonly at: number; readonly ended: Promise<void> }
/** The last look for an index, by the job's id. */
const looks = new Map<string, Look>()

const beginLook = ({ store, log }: JobContext, id: string): Look => {
  const ended = store
    .read(dropVectorIndex, { id })
    // NOTE: the vectors can go without it, and it is looked for again
    .catch((error: unknown) => log.warn({ err: error, job: id }, 'the index of deleted vectors could not be removed'))
    .finally(() => {
      look.isOver = true
    })
  const look: Look = { isOver: false, at: performance.now(), ended }
  return look
}

/** What a step is told: whether the index is gone, without which the job must not end. */
export type VectorIndexGone = { readonly isIndexGone: boolean }

/**
 * Of a job that removes vectors: their index goes beside it, so that none is left over an empty part of the table. Nobody waits for that: it takes as long as
 * the making of another setting's index. Without `setting_no` among the job's arguments it is about all settings of the dataset.
 */
export const withoutVectorIndex = {
  prepare: async (ctx: JobContext, id: string): Promise<VectorIndexGone> => {
    const last = looks.get(id)
    const isDue = last === undefined || (last.isOver && performance.now() - last.at > LOOK_AGAIN_MS)
    const look = isDue ? beginLook(ctx, id) : last
    looks.set(id, look)
    if (isDue) await Promise.race([look.ended, new Promise((resolve) => setTimeout(resolve, SOON_MS))])
    return { isIndexGone: look.isOver }
  },
  ended: async (_ctx: JobContext, id: string): Promise<void> => {
    looks.delete(id)
  },
}
