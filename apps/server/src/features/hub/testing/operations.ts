/** Everything that the application declares, and what these tests need. */
import '#features/imports/testing/operations.ts'
import { query } from '#platform/db/operations.ts'

/** Every text that a store keeps of jobs, as it is. */
export const jobTexts = query('test.job-texts', async (db): Promise<readonly string[]> => {
  const rows = await db.sql.selectFrom('jobs').selectAll().execute()
  return rows.map((row) => JSON.stringify(row))
})
