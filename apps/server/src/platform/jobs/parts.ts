import type { Db } from '#platform/db/db.ts'

/** Maximum number of deleted jobs to clean up at a time. */
const JOBS_PER_CLEANUP = 5

/** Deletes the parts of deleted jobs. A job's parts are kept as long as the job, because reports and undo use them. */
export const deleteOldParts = async (
  db: Db,
  table: 'bulk_answer_parts' | 'assignment_parts' | 'deletion_parts' | 'gold_parts',
): Promise<void> => {
  const old = await db.sql
    .selectFrom(table)
    .leftJoin('jobs', 'jobs.id', `${table}.job_id`)
    .select(`${table}.job_id`)
    .where(`${table}.part_no`, '=', 0)
    .where('jobs.id', 'is', null)
    .limit(JOBS_PER_CLEANUP)
    .execute()
  for (const { job_id } of old) await db.sql.deleteFrom(table).where('job_id', '=', job_id).execute()
}
