import { sayReason } from '@postil/contract/wire/reasons.ts'
import { command, query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { now, wallClock } from '#platform/time.ts'
import type { Held } from './claim.ts'
import { claimJobs, dueJobs } from './claim.ts'

const MAX_ATTEMPTS = 4
const RETRY_US = 10_000_000
/** Finished jobs stay a day. */
const KEPT_US = 86_400_000_000
const ENDED = ['finished', 'failed', 'stopped', 'canceled'] as const satisfies readonly JobState[]

type Kinds = { readonly kinds: readonly string[] }

export const someDue = query('jobs.due', async (db, { kinds }: Kinds) => (await dueJobs(db, kinds, 1)).length > 0, {
  single: true,
})

export type Claimed = Held & { readonly kind: string }

/** Takes due jobs; those that were taken too often without a step that worked are given up. */
export const takeJobs = command(
  'jobs.take',
  async (db, { kinds, limit, hold }: Kinds & { limit: number; hold: number }): Promise<readonly Claimed[]> => {
    const held = await claimJobs(db, kinds, { limit, hold })
    if (held.length === 0) return []
    const rows = await db.sql
      .selectFrom('jobs')
      .select(['id', 'kind', 'attempts'])
      .where(
        'id',
        'in',
        held.map(({ id }) => id),
      )
      .execute()
    const tired = rows.filter(({ attempts }) => attempts > MAX_ATTEMPTS).map(({ id }) => id)
    if (tired.length > 0) {
      await db.sql
        .updateTable('jobs')
        .set({ state: 'failed', reason: sayReason('interrupted'), sealed: null, updated_at: now() })
        .where('id', 'in', tired)
        .execute()
    }
    const kindOf = new Map(rows.map(({ id, kind }) => [id, kind]))
    return held.filter(({ id }) => !tired.includes(id)).map((one) => ({ ...one, kind: kindOf.get(one.id) ?? '' }))
  },
)

/** Gives jobs back to be taken at once, by this process or another. */
export const giveBackJobs = command('jobs.give-back', async (db, { held }: { readonly held: readonly Held[] }): Promise<void> => {
  for (const { id, until } of held) {
    await db.sql
      .updateTable('jobs')
      .set({ state: 'queued', available_at: wallClock(), attempts: 0 })
      .where('id', '=', id)
      .where('state', '=', 'started')
      .where('available_at', '=', until)
      .execute()
  }
})

/** Changes nothing. Its turn comes when the store has done what follows from the command before it: carrying over its log, on the embedded one. */
export const passTurn = command('jobs.pass-turn', async (): Promise<void> => undefined)

type Renewal = Held & { readonly hold: number; readonly done?: number; readonly total?: number | null }

/** Holds a job for longer, and says how far it is. @returns until when; null when it is not held any more */
export const renewJob = command('jobs.renew', async (db, { id, until, hold, done, total }: Renewal): Promise<Micros | null> => {
  const at = now()
  const later = at + hold
  const { numUpdatedRows } = await db.sql
    .updateTable('jobs')
    .set({ available_at: later, updated_at: at, ...(done !== undefined && { done }), ...(total !== undefined && { total }) })
    .where('id', '=', id)
    .where('state', '=', 'started')
    .where('available_at', '=', until)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1 ? later : null
})

/** What only the job may know, as it was sealed; null when there is nothing. */
export const sealedOf = query(
  'jobs.sealed',
  async (db, { id }: { readonly id: string }): Promise<string | null> =>
    (await db.sql.selectFrom('jobs').select('sealed').where('id', '=', id).executeTakeFirst())?.sealed ?? null,
  { single: true },
)

/** After a step that failed: the job waits for another try, or has failed. @param args `waits`: it is tried again however often that was */
export const missJob = command(
  'jobs.miss',
  async (db, { id, until, reason, waits }: Held & { readonly reason: string; readonly waits?: boolean }): Promise<JobState> => {
    const job = await db.dialect
      .forUpdate(
        db.sql
          .selectFrom('jobs')
          .select('attempts')
          .where('id', '=', id)
          .where('state', '=', 'started')
          .where('available_at', '=', until),
      )
      .executeTakeFirst()
    if (job === undefined) return 'canceled'
    const at = now()
    const attempts = waits === true ? 1 : job.attempts
    const state: JobState = attempts >= MAX_ATTEMPTS ? 'failed' : 'scheduled'
    await db.sql
      .updateTable('jobs')
      .set({
        state,
        reason,
        ...(state === 'failed' && { sealed: null }),
        attempts,
        available_at: at + attempts * RETRY_US,
        updated_at: at,
      })
      .where('id', '=', id)
      .execute()
    return state
  },
)

/** Forgets jobs that ended a day ago. What the server owes itself, and gave up, is begun anew instead: nobody else would ask for it again. */
export const forgetJobs = command('jobs.forget', async (db): Promise<void> => {
  const at = now()
  await db.sql
    .updateTable('jobs')
    .set({ state: 'queued', reason: null, attempts: 0, available_at: wallClock(), updated_at: at })
    .where('state', '=', 'failed')
    .where('user_id', 'is', null)
    .where('updated_at', '<', at - KEPT_US)
    .execute()
  const old = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ENDED)
    .where('updated_at', '<', at - KEPT_US)
    .limit(500)
    .execute()
  if (old.length === 0) return
  await db.sql
    .deleteFrom('jobs')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
})

export type JobRow = {
  readonly id: string
  readonly kind: string
  readonly user_id: string | null
  readonly args: { readonly [key: string]: unknown }
  readonly state: JobState
  readonly done: number
  readonly total: number | null
  readonly reason: string | null
}

const columns = ['id', 'kind', 'user_id', 'args', 'state', 'done', 'total', 'reason'] as const

/** A job; null for an unknown id. @param id any uuid */
export const findJob = query(
  'jobs.find',
  async (db, { id }: { readonly id: string }): Promise<JobRow | null> =>
    (await db.sql.selectFrom('jobs').select(columns).where('id', '=', id).executeTakeFirst()) ?? null,
  { single: true },
)

/** Stops a job between two steps, unless it has ended; a step that has begun with it is finished first, or refused. */
export const cancelJob = command('jobs.cancel', async (db, { id }: { readonly id: string }): Promise<void> => {
  await db.sql
    .updateTable('jobs')
    .set({ state: 'canceled', sealed: null, updated_at: now() })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .execute()
})
