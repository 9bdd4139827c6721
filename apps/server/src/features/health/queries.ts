import { query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'

/** Asks nothing but whether the store answers. */
export const look = query(
  'health.look',
  async (db): Promise<boolean> => (await db.sql.selectNoFrom(db.dialect.now.as('at')).execute()).length === 1,
  { single: true },
)

/** What lies before the server: jobs by state, as long as they are known, and deliveries of webhooks. */
export type Work = { readonly jobs: { readonly [S in JobState]?: number }; readonly deliveries: number }

export const countWork = query('health.work', async (db): Promise<Work> => {
  const jobs = await db.sql
    .selectFrom('jobs')
    .select((eb) => ['state', eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const { n } = await db.sql
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('state', 'in', ['waiting', 'held'])
    .executeTakeFirstOrThrow()
  return { jobs: Object.fromEntries(jobs.map((row) => [row.state, row.n])), deliveries: n }
})
