import { command } from '#platform/db/operations.ts'

/** Declares the operations of the application and of other tests. This file adds an operation that only these tests need. */
import '#features/jobs/testing/operations.ts'

/** Simulates a job that failed too often. */
export const failJob = command('test.fail-job', async (db, { id }: { readonly id: string }): Promise<void> => {
  await db.sql.updateTable('jobs').set({ state: 'failed' }).where('id', '=', id).execute()
})
