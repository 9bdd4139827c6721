import { appliedMigrations } from '#platform/db/migrate.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** Asks nothing but whether the store answers. */
export const look = query(
  'health.look',
  async (db): Promise<boolean> => (await db.sql.selectNoFrom(db.dialect.now.as('at')).execute()).length === 1,
  { single: true },
)

/** What lies before the server: jobs by state, as long as they are known, and deliveries of webhooks. */
export type Work = {
  readonly jobs: { readonly [S in JobState]?: number }
  readonly deliveries: number
  /** When the event happened that waits longest; null when none waits. */
  readonly oldestDelivery: Micros | null
  /** As long as the log has them. */
  readonly givenUp: number
}

export const countWork = query('health.work', async (db): Promise<Work> => {
  const jobs = await db.sql
    .selectFrom('jobs')
    .select((eb) => ['state', eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const { n, oldest } = await db.sql
    .selectFrom('outbox')
    .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.min<number | null>('at').as('oldest')])
    .where('state', 'in', ['waiting', 'held'])
    .executeTakeFirstOrThrow()
  const given = await db.sql
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('state', '=', 'given_up')
    // NOTE: whoever sends a test is told what becomes of it
    .where('event', '!=', 'ping')
    .executeTakeFirstOrThrow()
  const waiting = { deliveries: n, oldestDelivery: oldest, givenUp: given.n }
  return { jobs: Object.fromEntries(jobs.map((row) => [row.state, row.n])), ...waiting }
})

/** The last migration that the store has. */
export const schemaOf = query(
  'health.schema',
  async (db): Promise<string | null> => (await appliedMigrations(db.sql)).at(-1) ?? null,
  { single: true },
)

/** How much there is. Records are counted by the counters that are kept of them. */
export const countContent = query('health.content', async (db) => {
  const countOf = async (table: 'users' | 'workspaces'): Promise<number> => {
    const { n } = await db.sql
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
  const { n: datasets } = await db.sql
    .selectFrom('datasets')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('gone_at', 'is', null)
    .executeTakeFirstOrThrow()
  const counted = await db.sql
    .selectFrom('dataset_counts')
    .innerJoin('datasets', 'datasets.no', 'dataset_counts.dataset_no')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('kind', 'in', ['pending', 'completed'])
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  return { users: await countOf('users'), workspaces: await countOf('workspaces'), datasets, records: Number(counted?.n ?? 0) }
})
