import { query } from '#platform/db/operations.ts'

/** All operations of the application, and below them those that only tests need. */
import '#operations.ts'

/** IDs of the background jobs. No route returns them yet. */
export const jobIds = query('wire.job-ids', async (db): Promise<string[]> => {
  const rows = await db.sql.selectFrom('jobs').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
})
