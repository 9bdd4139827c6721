import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { now, wallClock } from '#platform/time.ts'
import type { Held } from './claim.ts'
import { claimJobs, dueJobs, type Kinds } from './claim.ts'
import { failureReason } from './failure-reason.ts'
import { UNFINISHED } from './states.ts'

const MAX_ATTEMPTS = 4
const RETRY_US = 10_000_000
/** How long finished jobs are kept: a day, in microseconds. */
const RETENTION_US = 86_400_000_000
const ENDED = ['finished', 'failed', 'stopped', 'canceled'] as const satisfies readonly JobState[]

export const someDue = query('jobs.due', async (db, which: Kinds) => (await dueJobs(db, which, 1)).length > 0, {
  single: true,
})

export type Claimed = Held & { readonly kind: string }

/** Claims due jobs. A job fails if it was claimed too often without a successful step. */
export const takeJobs = command(
  'jobs.take',
  async (db, { limit, hold, ...which }: Kinds & { limit: number; hold: number }): Promise<readonly Claimed[]> => {
    const held = await claimJobs(db, which, { limit, hold })
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
    const exhausted = rows.filter(({ attempts }) => attempts > MAX_ATTEMPTS).map(({ id }) => id)
    if (exhausted.length > 0) {
      await db.sql
        .updateTable('jobs')
        .set({ state: 'failed', ...failureReason(message('interrupted')), sealed: null, updated_at: now() })
        .where('id', 'in', exhausted)
        .execute()
    }
    const kindOf = new Map(rows.map(({ id, kind }) => [id, kind]))
    return held.filter(({ id }) => !exhausted.includes(id)).map((one) => ({ ...one, kind: kindOf.get(one.id) ?? '' }))
  },
)

/** Returns jobs to the queue, so that any process can claim them immediately. */
export const releaseJobs = command('jobs.give-back', async (db, { held }: { readonly held: readonly Held[] }): Promise<void> => {
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

/**
 * Changes nothing. Its result arrives only after the store has finished the follow-up work of the previous command. On the
 * embedded database, this work is the log checkpoint.
 */
export const yieldWriter = command('jobs.pass-turn', async (): Promise<void> => undefined)

type Renewal = Held & { readonly hold: number; readonly done?: number; readonly total?: number | null }

/** Extends a job's claim and reports the job's progress. @returns when the claim expires, or null if it was lost */
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

/** The job's encrypted secret, or null if there is none. */
export const sealedOf = query(
  'jobs.sealed',
  async (db, { id }: { readonly id: string }): Promise<string | null> =>
    (await db.sql.selectFrom('jobs').select('sealed').where('id', '=', id).executeTakeFirst())?.sealed ?? null,
  { single: true },
)

/**
 * Handles a failed step: the job is retried later, or it fails. @param args `keepsAttempts`: retry the job regardless of the
 * number of attempts
 */
export const recordFailure = command(
  'jobs.miss',
  async (
    db,
    { id, until, reason, keepsAttempts }: Held & { readonly reason: Reason; readonly keepsAttempts?: boolean },
  ): Promise<JobState> => {
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
    const attempts = keepsAttempts === true ? 1 : job.attempts
    const state: JobState = attempts >= MAX_ATTEMPTS ? 'failed' : 'scheduled'
    await db.sql
      .updateTable('jobs')
      .set({
        state,
        ...failureReason(reason),
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

/**
 * Deletes jobs that ended more than a day ago. The server's own failed jobs are restarted instead, because nobody would request
 * them again.
 */
export const forgetJobs = command('jobs.forget', async (db): Promise<void> => {
  const at = now()
  await db.sql
    .updateTable('jobs')
    .set({ state: 'queued', reason: null, reason_parts: null, attempts: 0, available_at: wallClock(), updated_at: at })
    .where('state', '=', 'failed')
    .where('user_id', 'is', null)
    .where('updated_at', '<', at - RETENTION_US)
    .execute()
  const old = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ENDED)
    .where('updated_at', '<', at - RETENTION_US)
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
  /** Null for jobs that failed before the codes were stored. */
  readonly reason_parts: readonly ReasonPart[] | null
}

/**
 * Copies the names that job lists show into the rows of the jobs. Must be called before the rows that contain these names are
 * deleted.
 */
export const keepNames = async (
  db: Db,
  { no, name }: { readonly no: number; readonly name: string },
  jobIds: readonly string[],
): Promise<void> => {
  await db.sql
    .updateTable('jobs')
    .set((eb) => ({
      dataset_name: name,
      subject: eb.selectFrom('imports').select('imports.name').whereRef('imports.job_id', '=', 'jobs.id').limit(1),
    }))
    .where((eb) => eb.or([eb('dataset_no', '=', no), ...jobIds.map((id) => eb('id', '=', id))]))
    .execute()
}

const columns = ['id', 'kind', 'user_id', 'args', 'state', 'done', 'total', 'reason', 'reason_parts'] as const

/** A job, or null if the ID is unknown. @param id any UUID */
export const findJob = query(
  'jobs.find',
  async (db, { id }: { readonly id: string }): Promise<JobRow | null> =>
    (await db.sql.selectFrom('jobs').select(columns).where('id', '=', id).executeTakeFirst()) ?? null,
  { single: true },
)

/** Cancels a job between two steps unless the job has ended. A step that has already started finishes first or is rejected. */
export const cancelJob = command('jobs.cancel', async (db, { id }: { readonly id: string }): Promise<void> => {
  await db.sql
    .updateTable('jobs')
    .set({ state: 'canceled', sealed: null, updated_at: now() })
    .where('id', '=', id)
    .where('state', 'in', UNFINISHED)
    .execute()
})
