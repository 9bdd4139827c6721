/** This import registers all operations of the application. The operations below are needed only by these tests. */
import '#features/imports/testing/operations.ts'
import { json } from '#platform/db/codecs.ts'
import { command, query } from '#platform/db/operations.ts'

/** All rows of the jobs table, as JSON. */
export const jobTexts = query('test.job-texts', async (db): Promise<readonly string[]> => {
  const rows = await db.sql.selectFrom('jobs').selectAll().execute()
  return rows.map((row) => JSON.stringify(row))
})

/** Sets the number of characters that a job has read. */
export const sizeJob = command('test.size-job', async (db, { id, size }: { readonly id: string; readonly size: number }) => {
  const { args } = await db.sql.selectFrom('jobs').select('args').where('id', '=', id).executeTakeFirstOrThrow()
  await db.sql
    .updateTable('jobs')
    .set({ args: json({ ...args, size }) })
    .where('id', '=', id)
    .execute()
})
