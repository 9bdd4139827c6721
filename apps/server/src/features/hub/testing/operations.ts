/** Everything that the application declares, and what these tests need. */
import '#features/imports/testing/operations.ts'
import { json } from '#platform/db/codecs.ts'
import { command, query } from '#platform/db/operations.ts'

/** Every text that a store keeps of jobs, as it is. */
export const jobTexts = query('test.job-texts', async (db): Promise<readonly string[]> => {
  const rows = await db.sql.selectFrom('jobs').selectAll().execute()
  return rows.map((row) => JSON.stringify(row))
})

/** A job has read rows of so many characters. */
export const sizeJob = command('test.size-job', async (db, { id, size }: { readonly id: string; readonly size: number }) => {
  const { args } = await db.sql.selectFrom('jobs').select('args').where('id', '=', id).executeTakeFirstOrThrow()
  await db.sql
    .updateTable('jobs')
    .set({ args: json({ ...args, size }) })
    .where('id', '=', id)
    .execute()
})
