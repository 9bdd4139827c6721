import { sql } from 'kysely'
import { command, query } from '#platform/db/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'

/** Reads the named pragmas of the embedded database's write connection. */
export const writerSettings = command('test.writer-settings', async (db, { names }: { names: readonly string[] }) => {
  const found: { [name: string]: unknown } = {}
  for (const name of names) {
    const { rows } = await sql.raw<{ [column: string]: unknown }>(`PRAGMA ${name}`).execute(db.sql)
    found[name] = Object.values(rows[0] ?? {})[0]
  }
  return found
})

/** Writes the given amount of text in one transaction. */
export const writeText = command('test.write-text', async (db, { name, bytes }: { name: string; bytes: number }) => {
  await db.sql
    .insertInto('settings')
    .values({ name, value_text: 'x'.repeat(bytes) })
    .onConflict((c) => c.column('name').doUpdateSet((eb) => ({ value_text: eb.ref('excluded.value_text') })))
    .execute()
})

/** The number of jobs that have not ended. */
export const countUnfinishedJobs = query('test.count-unfinished-jobs', async (db, _: object): Promise<number> => {
  const jobs = await db.sql.selectFrom('jobs').select('id').where('state', 'in', UNFINISHED).execute()
  return jobs.length
})

/** The active time of each answer in a dataset. */
export const activeTimes = query('test.active-times', (db, { dataset_no }: { dataset_no: number }) =>
  db.sql.selectFrom('responses').select(['record_id', 'user_id', 'active_ms']).where('dataset_no', '=', dataset_no).execute(),
)
