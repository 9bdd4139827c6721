import { command } from '#platform/db/operations.ts'

/** Everything that the application and other tests declare, plus an operation that only these tests need. */
import '#features/jobs/testing/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'

/** Simulates jobs that failed too often. */
export const failJobs = command('test.fail-jobs', async (db): Promise<void> => {
  await db.sql.updateTable('jobs').set({ state: 'failed' }).where('state', 'in', UNFINISHED).execute()
})
