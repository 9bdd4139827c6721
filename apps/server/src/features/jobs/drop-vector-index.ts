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
 * Minimum time between two attempts to drop an index, in milliseconds. Attempts are repeated because an index build may still be
 * running when the job starts. They aren't made in every step, because an attempt takes longer than a short step.
 */
const RECHECK_MS = 5_000
/**
 * How long a step waits for the index to be dropped, in milliseconds. This is enough unless the store is busy with the index of
 * another vector setting.
 */
const SOON_MS = 50

type IndexDrop = { isOver: boolean; readonly at: number; readonly ended: Promise<void> }
/** The latest attempt to drop an index, by job ID. */
const drops = new Map<string, IndexDrop>()

const startDrop = ({ store, log }: JobContext, id: string): IndexDrop => {
  const ended = store
    .read(dropVectorIndex, { id })
    // If the index can't be dropped, the job still removes the vectors. A job that is still running after `RECHECK_MS` tries to
    // drop the index again
    .catch((error: unknown) => log.warn({ err: error, job: id }, 'could not drop the index of deleted vectors'))
    .finally(() => {
      drop.isOver = true
    })
  const drop: IndexDrop = { isOver: false, at: performance.now(), ended }
  return drop
}

/** The input of a step: whether the attempt to drop the index has ended. The job must not end before. */
export type VectorIndexState = { readonly isIndexGone: boolean }

/**
 * For jobs that remove vectors. Also drops the index of these vectors, so that no index remains on an empty part of the table.
 * The job's steps don't wait for this, because it can take as long as building the index of another setting. If the job's
 * arguments don't contain `setting_no`, the indexes of all the dataset's settings are dropped.
 */
export const withoutVectorIndex = {
  prepare: async (ctx: JobContext, id: string): Promise<VectorIndexState> => {
    const last = drops.get(id)
    const isDue = last === undefined || (last.isOver && performance.now() - last.at > RECHECK_MS)
    const drop = isDue ? startDrop(ctx, id) : last
    drops.set(id, drop)
    if (isDue) await Promise.race([drop.ended, new Promise((resolve) => setTimeout(resolve, SOON_MS))])
    return { isIndexGone: drop.isOver }
  },
  ended: async (_ctx: JobContext, id: string): Promise<void> => {
    drops.delete(id)
  },
}
