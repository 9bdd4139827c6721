import { type Micros, setFloor } from '#platform/time.ts'
import type { Db } from './db.ts'
import { query } from './operations.ts'

/**
 * If the machine's clock is behind the store's latest time by at most this many microseconds, this server's times continue from
 * the store's time. If the lag is larger, either the clock was ahead when the latest time was stored, or the clock is wrong now.
 * In both cases, continuing from the store's time would keep all times wrong.
 */
const MAX_COUNT = 24 * 3_600_000_000

/** Returns the latest time in the tables that can be queried cheaply, or 0 for an empty store. */
export const latestTime = query('store.latest_time', async (db: Db): Promise<Micros> => {
  const { sql } = db
  const found = await Promise.all([
    sql
      .selectFrom('users')
      .select((of) => of.fn.max('updated_at').as('at'))
      .executeTakeFirst(),
    sql
      .selectFrom('datasets')
      .select((of) => of.fn.max('updated_at').as('at'))
      .executeTakeFirst(),
    sql
      .selectFrom('datasets')
      .innerJoin('dataset_activity', 'dataset_activity.dataset_no', 'datasets.no')
      .select((of) => of.fn.max('last_activity_at').as('at'))
      .executeTakeFirst(),
    // Includes jobs, because their retries and claim renewals may be the only activity for a long time.
    sql
      .selectFrom('jobs')
      .select((of) => of.fn.max('updated_at').as('at'))
      .executeTakeFirst(),
    sql.selectFrom('audit').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst(),
    // Finds each dataset's last record by primary key. In a cluster, a dataset's rows in `dataset_state` and `records` are on the
    // same node.
    sql
      .selectFrom('dataset_state')
      .innerJoin('records', 'records.dataset_no', 'dataset_state.dataset_no')
      .where('records.seq', '=', (of) =>
        of
          .selectFrom('records as all')
          .select((one) => one.fn.max('all.seq').as('seq'))
          .whereRef('all.dataset_no', '=', 'dataset_state.dataset_no'),
      )
      .select((of) => of.fn.max('records.inserted_at').as('at'))
      .executeTakeFirst(),
  ])
  return Math.max(0, ...found.map((row) => row?.at ?? 0))
})

/**
 * Makes this thread's clock start after the store's latest time.
 * @returns the lag of the machine's clock in microseconds; null if there is none or it is too large to correct
 */
export const startAfter = (latest: Micros): Micros | null => {
  const clockLag = latest - Date.now() * 1000
  if (clockLag <= 0 || clockLag > MAX_COUNT) return null
  setFloor(latest)
  return clockLag
}
