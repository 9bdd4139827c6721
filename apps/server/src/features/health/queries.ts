import { appliedMigrations } from '#platform/db/migrate.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** Only checks that the store answers. */
export const ping = query(
  'health.look',
  async (db): Promise<boolean> => (await db.sql.selectNoFrom(db.dialect.now.as('at')).execute()).length === 1,
  { single: true },
)

export type Work = {
  readonly jobs: { readonly [S in JobState]?: number }
  readonly deliveries: number
  /** Time of the oldest pending delivery's event; null if no delivery is pending. */
  readonly oldestDelivery: Micros | null
  /** Number of deliveries in the delivery log that the server has given up on. */
  readonly givenUp: number
}

export const countWork = query('health.work', async (db): Promise<Work> => {
  const jobs = await db.sql
    .selectFrom('jobs')
    .select((eb) => ['state', eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const webhooks = await db.sql.selectFrom('webhooks').select('id').execute()
  const states = Object.fromEntries(jobs.map((row) => [row.state, row.n]))
  if (webhooks.length === 0) return { jobs: states, deliveries: 0, oldestDelivery: null, givenUp: 0 }
  // The log of a deleted webhook remains for a while.
  const logged = db.sql.selectFrom('outbox').where(
    'webhook_id',
    'in',
    webhooks.map(({ id }) => id),
  )
  const { n, oldest } = await logged
    .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.min<number | null>('at').as('oldest')])
    .where('state', 'in', ['waiting', 'held'])
    .executeTakeFirstOrThrow()
  const givenUpCount = await logged
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('state', '=', 'given_up')
    // Test pings are left out, because their sender sees the result
    .where('event', '!=', 'ping')
    .executeTakeFirstOrThrow()
  return { jobs: states, deliveries: n, oldestDelivery: oldest, givenUp: givenUpCount.n }
})

/** The last migration that was applied to the database. */
export const schemaOf = query(
  'health.schema',
  async (db): Promise<string | null> => (await appliedMigrations(db.sql)).at(-1) ?? null,
  { single: true },
)

/** Counts the server's content. Record counts come from the stored counters. */
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
