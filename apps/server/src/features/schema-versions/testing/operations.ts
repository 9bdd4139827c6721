import { command } from '#platform/db/operations.ts'

/** Everything that the application and other tests declare, plus an operation that only these tests need. */
import '#features/jobs/testing/operations.ts'

/** Simulates a job that failed too often. */
export const failJob = command('test.fail-job', async (db, { id }: { readonly id: string }): Promise<void> => {
  await db.sql.updateTable('jobs').set({ state: 'failed' }).where('id', '=', id).execute()
})
