import { command } from '#platform/db/operations.ts'

/** Loads all operations of the application. The operations below are needed only by these tests. */
import '#features/records/testing/operations.ts'

/** Makes all uploads, and the jobs that import them, two days older. */
export const ageImports = command('test.age-imports', async (db): Promise<void> => {
  const day = 86_400_000_000
  await db.sql
    .updateTable('imports')
    .set((eb) => ({ inserted_at: eb('inserted_at', '-', 2 * day) }))
    .execute()
  await db.sql
    .updateTable('jobs')
    .set((eb) => ({ updated_at: eb('updated_at', '-', 2 * day) }))
    .execute()
})

/** Releases all held jobs. */
export const ageHolds = command('test.release-imports', async (db): Promise<void> => {
  await db.sql.updateTable('jobs').set({ available_at: 0 }).execute()
})
