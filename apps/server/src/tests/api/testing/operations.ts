import { query } from '#platform/db/operations.ts'

/** All operations of the application, followed by those that only tests need. */
import '#operations.ts'

/** IDs of the background jobs. No route returns them. */
export const jobIds = query('wire.job-ids', async (db): Promise<string[]> => {
  const rows = await db.sql.selectFrom('jobs').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
})
