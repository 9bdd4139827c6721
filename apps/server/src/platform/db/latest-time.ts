import { type Micros, setFloor } from '#platform/time.ts'
import type { Db } from './db.ts'
import { query } from './operations.ts'

/** A clock that is further behind was ahead before, or is nonsense now: going on from there would keep all times wrong. */
const MOST = 24 * 3_600_000_000

/** The latest time that the store has seen, as far as it is known without reading all of it; 0 for an empty one. */
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
    // NOTE: what was tried again, and until when it was held, may be all that happened for long
    sql
      .selectFrom('jobs')
      .select((of) => of.fn.max('updated_at').as('at'))
      .executeTakeFirst(),
    sql.selectFrom('audit').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst(),
    // NOTE: the last record of each dataset by its key; beside a table that lies on the same node
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
 * Has the times of this thread begin after the latest one of the store.
 * @returns by how much the clock of the machine is behind, in microseconds; null when it is not, or so far that it is believed
 */
export const startAfter = (latest: Micros): Micros | null => {
  const behind = latest - Date.now() * 1000
  if (behind <= 0 || behind > MOST) return null
  setFloor(latest)
  return behind
}
