import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { now, wallClock } from '#platform/time.ts'

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

/** How many jobs of one person are at work at once, in all processes: the others' turn comes between them. */
const AT_ONCE_OF_A_PERSON = 2

/**
 * Jobs of the given kinds that are due and that nobody holds: of each person the oldest ones, and no more than may be at work beside those
 * that are held.
 */
const due = (db: Db, kinds: readonly string[], at: Micros) =>
  db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .where('available_at', '<=', at)
    .where('kind', 'in', kinds)
    .where((eb) =>
      eb.or([
        eb('user_id', 'is', null),
        eb(
          eb
            .selectFrom('jobs as others')
            .select((of) => of.fn.countAll<number>().as('n'))
            .whereRef('others.user_id', '=', 'jobs.user_id')
            .where('others.state', 'in', ['queued', 'scheduled', 'started'])
            .where((of) =>
              of.or([
                of.and([of('others.state', '=', 'started'), of('others.available_at', '>', at)]),
                of.and([of('others.available_at', '<=', at), of('others.id', '<', of.ref('jobs.id'))]),
              ]),
            ),
          '<',
          AT_ONCE_OF_A_PERSON,
        ),
      ]),
    )
    .orderBy('available_at')

/** Ids of jobs whose time has come, of the given kinds; a read for polling that locks nothing. */
export const dueJobs = async (db: Db, kinds: readonly string[], limit: number): Promise<readonly string[]> => {
  if (kinds.length === 0) return []
  const rows = await due(db, kinds, now()).limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Takes jobs of the given kinds that are due and that nobody holds. */
export const claimJobs = async (db: Db, kinds: readonly string[], { limit, hold }: ClaimOptions): Promise<readonly Held[]> => {
  if (kinds.length === 0) return []
  const at = now()
  const free = await db.dialect.skipLocked(due(db, kinds, at).limit(limit)).execute()
  const ids = free.map(({ id }) => id)
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
 * Events of a webhook in one state that may be taken: due, and of those about one subject only the oldest unfinished one, so that they
 * go out in order. One state at a time, so that an index has them in the order in which they became due.
 */
const dueEvents = (db: Db, webhookId: string, state: 'waiting' | 'held', at: Micros) =>
  db.sql
    .selectFrom('outbox')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', state)
    .where('available_at', '<=', at)
    .where((eb) =>
      // NOTE: a subquery for one value, which is looked up by its index whatever an engine believes to know of the table
      eb(
        eb
          .selectFrom('outbox as older')
          .select('older.no')
          .where('older.webhook_id', '=', webhookId)
          .whereRef('older.subject_id', '=', 'outbox.subject_id')
          .where('older.state', 'in', ['waiting', 'held'])
          .whereRef('older.no', '<', 'outbox.no')
          .limit(1),
        'is',
        null,
      ),
    )
    .orderBy('available_at')
    .orderBy('no')

/** Whether a webhook has an event that may be taken; a read for polling that locks nothing. */
export const someEventDue = async (db: Db, webhookId: string): Promise<boolean> => {
  const at = now()
  for (const state of ['held', 'waiting'] as const) {
    if ((await dueEvents(db, webhookId, state, at).limit(1).executeTakeFirst()) !== undefined) return true
  }
  return false
}

/** Takes events of a webhook that are due and that nobody holds, see `dueEvents`; first those whose holder is gone. */
export const claimEvents = async (db: Db, webhookId: string, { limit, hold }: ClaimOptions): Promise<readonly Held[]> => {
  const at = now()
  const ids: string[] = []
  for (const state of ['held', 'waiting'] as const) {
    if (ids.length === limit) break
    const due = await db.dialect.skipLocked(dueEvents(db, webhookId, state, at).limit(limit - ids.length)).execute()
    ids.push(...due.map(({ id }) => id))
  }
  if (ids.length === 0) return []
  const until = at + hold
  await db.sql
    .updateTable('outbox')
    .set((eb) => ({ state: 'held', available_at: until, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => ({ id, until }))
}

/** What the log keeps of an attempt. */
export type Attempted = {
  readonly attempted_at: Micros
  readonly http_status: number | null
  readonly duration_ms: number
  readonly error: string | null
}
type Settled = { readonly state: 'delivered' | 'given_up' } | { readonly state: 'waiting'; readonly available_at: Micros }

/** Ends the work on an event, or gives it back to be taken from `available_at` on. @returns false when it is no longer held */
export const settleEvent = async (db: Db, held: Held, to: Settled & Partial<Attempted>): Promise<boolean> => {
  const { numUpdatedRows } = await db.sql
    .updateTable('outbox')
    .set(to)
    .where('id', '=', held.id)
    .where('state', '=', 'held')
    .where('available_at', '=', held.until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Gives an event back as if it had not been taken. */
export const giveBackEvent = async (db: Db, held: Held): Promise<void> => {
  await db.sql
    .updateTable('outbox')
    .set((eb) => ({ state: 'waiting', available_at: wallClock(), attempts: eb('attempts', '-', 1) }))
    .where('id', '=', held.id)
    .where('state', '=', 'held')
    .where('available_at', '=', held.until)
    .execute()
}
