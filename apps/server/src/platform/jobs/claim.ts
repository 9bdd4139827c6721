import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Micros } from '#platform/time.ts'
import { now, wallClock } from '#platform/time.ts'
import { UNFINISHED } from './states.ts'

/**
 * Work that any process may claim: rows of `jobs` and `outbox`. Claiming a row sets `available_at` to the claim's expiry time.
 * If the claiming process dies, the row can be claimed again after that time. The time also identifies the claim: a process
 * that was too slow finds a different time in the row, and all its changes are rejected.
 */
export type Held = { readonly id: string; readonly until: Micros }

type ClaimOptions = {
  readonly limit: number
  /** How long a claim lasts, in microseconds. */
  readonly hold: number
}

export type Kinds = {
  readonly kinds: readonly string[]
  /** The kinds whose jobs count toward the same limit per person as jobs of `kinds`. If omitted, jobs of all kinds count. */
  readonly peers?: readonly string[]
}

/** How many of one person's jobs run at once, across all processes. Because of this limit, other people's jobs run in between. */
const MAX_PER_USER = 2

/**
 * Unclaimed jobs of the given kinds that are due. For each person, only the oldest ones are returned, up to the limit per person.
 */
const due = (db: Db, { kinds, peers }: Kinds, at: Micros) =>
  db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', UNFINISHED)
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
            .where('others.state', 'in', UNFINISHED)
            .$if(peers !== undefined, (all) => all.where('others.kind', 'in', peers ?? []))
            .where((of) =>
              of.or([
                of.and([of('others.state', '=', 'started'), of('others.available_at', '>', at)]),
                of.and([of('others.available_at', '<=', at), of('others.id', '<', of.ref('jobs.id'))]),
              ]),
            ),
          '<',
          MAX_PER_USER,
        ),
      ]),
    )
    .orderBy('available_at')

/** IDs of due jobs of the given kinds. Takes no locks, so that it can be used for polling. */
export const dueJobs = async (db: Db, which: Kinds, limit: number): Promise<readonly string[]> => {
  if (which.kinds.length === 0) return []
  const rows = await due(db, which, now()).limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Claims due, unclaimed jobs of the given kinds. */
export const claimJobs = async (db: Db, which: Kinds, { limit, hold }: ClaimOptions): Promise<readonly Held[]> => {
  if (which.kinds.length === 0) return []
  const at = now()
  const free = await db.dialect.skipLocked(due(db, which, at).limit(limit)).execute()
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

/** An event that can be claimed. */
export type DueEvent = { readonly dataset_no: number; readonly id: string }

/** A claimed event. */
export type HeldEvent = Held & { readonly dataset_no: number }

const UNDELIVERED = ['waiting', 'held'] as const

/**
 * A webhook's events that have the given state and can be claimed now. An event can be claimed if it is due and if all earlier
 * events of its subject are finished. Deliveries therefore stay in order. Each query reads only one state, so that an index can
 * return the events in the order in which they became due.
 */
const claimable = (db: Db, webhookId: string, state: (typeof UNDELIVERED)[number], at: Micros) =>
  db.sql
    .selectFrom('outbox')
    .select(['dataset_no', 'id'])
    .where('webhook_id', '=', webhookId)
    .where('state', '=', state)
    .where('available_at', '<=', at)
    .where(({ eb, exists, selectFrom }) =>
      // The subquery is compared with a value, so that it isn't planned as a join. It then uses the index, regardless of the
      // engine's table statistics.
      eb(
        exists(
          selectFrom('outbox as older')
            .select('older.no')
            .whereRef('older.dataset_no', '=', 'outbox.dataset_no')
            .where('older.webhook_id', '=', webhookId)
            .whereRef('older.subject_id', '=', 'outbox.subject_id')
            .where('older.state', 'in', UNDELIVERED)
            .whereRef('older.no', '<', 'outbox.no'),
        ),
        '=',
        false,
      ),
    )
    .orderBy('available_at')
    .orderBy('no')

/** Whether any of these webhooks has an event that is due. The event may still have to wait for an older one. */
export const someEventDue = async (db: Db, webhookIds: readonly string[]): Promise<boolean> => {
  if (webhookIds.length === 0) return false
  const due = await db.sql
    .selectFrom('outbox')
    .select('id')
    .where('webhook_id', 'in', webhookIds)
    .where('state', 'in', UNDELIVERED)
    .where('available_at', '<=', now())
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

/** A webhook's events that can be claimed now, in order. Events with expired claims come first. Takes no locks. */
export const dueEvents = async (db: Db, webhookId: string, limit: number): Promise<readonly DueEvent[]> => {
  const at = now()
  const [held, waiting] = await pipeline([
    claimable(db, webhookId, 'held', at).limit(limit).execute(),
    claimable(db, webhookId, 'waiting', at).limit(limit).execute(),
  ])
  return [...held, ...waiting].slice(0, limit)
}

/**
 * Claims events of one dataset for `hold` microseconds. Leaves out events that another process has claimed since `dueEvents`
 * returned them.
 */
export const claimEvents = async (
  db: Db,
  { dataset_no, ids, hold }: { readonly dataset_no: number; readonly ids: readonly string[]; readonly hold: number },
): Promise<readonly HeldEvent[]> => {
  const at = now()
  const until = at + hold
  const claimed = await db.sql
    .updateTable('outbox')
    .set((eb) => ({ state: 'held', available_at: until, attempts: eb('attempts', '+', 1) }))
    .where('dataset_no', '=', dataset_no)
    .where('id', 'in', ids)
    .where('state', 'in', UNDELIVERED)
    .where('available_at', '<=', at)
    .returning('id')
    .execute()
  return claimed.map(({ id }) => ({ id, dataset_no, until }))
}

/** What the log stores about a delivery attempt. */
export type AttemptResult = {
  readonly attempted_at: Micros
  readonly http_status: number | null
  readonly duration_ms: number
  readonly error: string | null
}
type DeliveryOutcome = { readonly state: 'delivered' | 'given_up' } | { readonly state: 'waiting'; readonly available_at: Micros }

/** Finishes an event, or makes it available again at `available_at`. @returns false if the claim was lost */
export const settleEvent = async (db: Db, held: HeldEvent, to: DeliveryOutcome & Partial<AttemptResult>): Promise<boolean> => {
  const { numUpdatedRows } = await db.sql
    .updateTable('outbox')
    .set(to)
    .where('dataset_no', '=', held.dataset_no)
    .where('id', '=', held.id)
    .where('state', '=', 'held')
    .where('available_at', '=', held.until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Releases an event as if it had not been claimed. */
export const releaseEvent = async (db: Db, held: HeldEvent): Promise<void> => {
  await db.sql
    .updateTable('outbox')
    .set((eb) => ({ state: 'waiting', available_at: wallClock(), attempts: eb('attempts', '-', 1) }))
    .where('dataset_no', '=', held.dataset_no)
    .where('id', '=', held.id)
    .where('state', '=', 'held')
    .where('available_at', '=', held.until)
    .execute()
}
