import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'

/**
 * Work that any process may take: rows of `jobs` and of `outbox`. Taking a row sets `available_at` to the time until which it is held;
 * when the holder dies, the row is free again after that. The time is also the proof of holding: who was too slow finds another one in the row,
 * and every change of theirs is refused.
 */
export type Held = { readonly id: string; readonly until: Micros }

type ClaimOptions = {
  readonly limit: number
  /** Microseconds for which the rows are held. */
  readonly hold: number
}

/** Ids of jobs whose time has come, of the given kinds; a read for polling that locks nothing. */
export const dueJobs = async (db: Db, kinds: readonly string[], limit: number): Promise<readonly string[]> => {
  if (kinds.length === 0) return []
  const rows = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .where('available_at', '<=', now())
    .where('kind', 'in', kinds)
    .orderBy('available_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes jobs of the given kinds that are due and that nobody holds. */
export const claimJobs = async (db: Db, kinds: readonly string[], { limit, hold }: ClaimOptions): Promise<readonly Held[]> => {
  if (kinds.length === 0) return []
  const at = now()
  const due = await db.dialect
    .skipLocked(
      db.sql
        .selectFrom('jobs')
        .select('id')
        .where('state', 'in', ['queued', 'scheduled', 'started'])
        .where('available_at', '<=', at)
        .where('kind', 'in', kinds)
        .orderBy('available_at')
        .limit(limit),
    )
    .execute()
  const ids = due.map(({ id }) => id)
  if (ids.length === 0) return []
  const until = at + hold
  await db.sql
    .updateTable('jobs')
    .set((eb) => ({ state: 'started', available_at: until, attempts: eb('attempts', '+', 1), updated_at: at }))
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => ({ id, until }))
}

/**
 * Takes events that are due. Of the events of one webhook about one subject only the oldest unfinished one can be taken, so that they go out in
 * order.
 */
export const claimEvents = async (db: Db, { limit, hold }: ClaimOptions): Promise<readonly Held[]> => {
  const at = now()
  const due = await db.dialect
    .skipLocked(
      db.sql
        .selectFrom('outbox')
        .select('id')
        .where('state', 'in', ['waiting', 'held'])
        .where('available_at', '<=', at)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('outbox as older')
                .select('older.id')
                .whereRef('older.webhook_id', '=', 'outbox.webhook_id')
                .whereRef('older.subject_id', '=', 'outbox.subject_id')
                .whereRef('older.id', '<', 'outbox.id')
                .where('older.state', 'in', ['waiting', 'held']),
            ),
          ),
        )
        .orderBy('available_at')
        .orderBy('id')
        .limit(limit),
    )
    .execute()
  const ids = due.map(({ id }) => id)
  if (ids.length === 0) return []
  const until = at + hold
  await db.sql
    .updateTable('outbox')
    .set((eb) => ({ state: 'held', available_at: until, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => ({ id, until }))
}

/** Ends the work on an event, or gives it back to be taken from `available_at` on. @returns false when it is no longer held */
export const settleEvent = async (
  db: Db,
  held: Held,
  to: { readonly state: 'delivered' | 'given_up' } | { readonly state: 'waiting'; readonly available_at: Micros },
): Promise<boolean> => {
  const { numUpdatedRows } = await db.sql
    .updateTable('outbox')
    .set(to)
    .where('id', '=', held.id)
    .where('state', '=', 'held')
    .where('available_at', '=', held.until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
