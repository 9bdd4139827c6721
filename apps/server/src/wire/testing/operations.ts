import { query } from '#platform/db/operations.ts'

/** Everything that the application declares, and below it what only tests need. */
import '#operations.ts'

/** Ids of the background jobs; no route tells them yet. */
export const jobIds = query('wire.job-ids', async (db): Promise<string[]> => {
  const rows = await db.sql.selectFrom('jobs').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
})
