import { tooMany } from '@postil/contract/wire/errors.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Command } from '#platform/db/operations.ts'
import { command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { newId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import { now, wallClock } from '#platform/time.ts'
import type { Held } from './claim.ts'

type JsonObject = { readonly [key: string]: unknown }

export type Job = {
  readonly id: string
  readonly dataset_no: number | null
  readonly user_id: string | null
  /** What the job is about; a step may replace it, for example to remember how far it came. */
  readonly args: JsonObject
  readonly done: number
  readonly total: number | null
  /** Milliseconds that the step may work. */
  readonly ms: number
}

/** What one step did; `args`, `done` and `total` stay as they are when left out. */
export type StepOutcome = {
  readonly finished: boolean
  /** Why the job cannot go on: a sentence. It has failed then, and what it did stays. */
  readonly failed?: string
  readonly args?: JsonObject
  readonly done?: number
  readonly total?: number
}

type StepResult = { readonly state: 'lost' | 'finished' | 'failed' } | { readonly state: 'started'; readonly until: Micros }
/** What carries jobs out. */
export type JobContext = {
  readonly store: Store
  readonly config: Config
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly log: {
    readonly error: (fields: object, message: string) => void
    readonly warn: (fields: object, message: string) => void
  }
}

type StepArgs = Held & {
  readonly hold: number
  /** What `prepare` made. */
  readonly input?: unknown
  /** Whether people are about who should not notice it. */
  readonly gently?: boolean
}
/** What a preparation that may take long is given. */
export type Away = {
  /** The job is not held any more: canceled, taken by somebody else, or the process ends. */
  readonly signal: AbortSignal
  /** Says how far the job is, before its next step does. */
  readonly tell: (done: number, total: number | null) => void
}
/** What a kind does outside of the transactions of its steps. */
type Outside<I> = {
  /** Reads what the next step needs from elsewhere than the store; it survives structured clone. */
  readonly prepare: (ctx: JobContext, id: string, away?: Away) => Promise<I>
  /**
   * Prepares the step after the one that is given `input`, while that one is stored; null when there is nothing to prepare. The step finds out
   * for itself whether what it gets still is what it needs.
   */
  readonly ahead?: (ctx: JobContext, id: string, input: I) => Promise<I> | null
  /** It waits for other machines: other jobs go on meanwhile, and the job stays held for as long as it takes. */
  readonly remote?: boolean
  /** Nobody waits for it: while people are about, its steps are short, with long rests between them. */
  readonly gentle?: boolean
  /** After the last step, whatever its outcome; it may be left out when the process is killed. */
  readonly ended: (ctx: JobContext, id: string) => Promise<void>
}
export type JobKind = {
  readonly kind: string
  readonly step: Command<StepArgs, StepResult>
  readonly outside: Outside<unknown> | undefined
}

const kinds = new Map<string, JobKind>()
export const knownKinds = (): readonly JobKind[] => [...kinds.values()]
export const findKind = (kind: string): JobKind | undefined => kinds.get(kind)

/** A step works at most this long, so that nobody waits for the store's writer. */
export const STEP_MS = 50
/** What it works leaves a rest for the commit. */
const WORK_MS = STEP_MS * 0.6
/** So long works a step that people should not notice: less than what they do takes itself. */
const GENTLE_MS = 1

/** True until a step that began with this call has used its time. */
export const stepTime = (ms = WORK_MS): (() => boolean) => {
  const end = performance.now() + ms
  return () => performance.now() < end
}

/**
 * Declares a kind of background job. A job is carried out step by step; a step is one transaction of at most `STEP_MS` that does a part of
 * the work and keeps how far it came. So a job that is killed goes on where its last committed step ended, and a step never happens twice.
 */
export const jobKind = <I = undefined>(
  kind: string,
  run: (db: Db, job: Job, input: I) => Promise<StepOutcome>,
  outside?: Outside<I>,
): JobKind => {
  const step = command(`job ${kind}`, async (db, { id, until, hold, input, gently }: StepArgs): Promise<StepResult> => {
    const job = await db.dialect
      .forUpdate(
        db.sql
          .selectFrom('jobs')
          .select(['id', 'dataset_no', 'user_id', 'args', 'done', 'total'])
          .where('id', '=', id)
          .where('state', '=', 'started')
          .where('available_at', '=', until),
      )
      .executeTakeFirst()
    if (job === undefined) return { state: 'lost' }
    if (gently === true) await db.dialect.commitUnsynced(db.sql)
    // What a step is given was made by `prepare` of the same kind.
    const outcome = await run(db, { ...job, ms: gently === true ? GENTLE_MS : WORK_MS }, input as I)
    const at = now()
    const state = outcome.failed !== undefined ? 'failed' : outcome.finished ? 'finished' : 'started'
    await db.later.sql
      .updateTable('jobs')
      .set({
        state,
        ...(outcome.failed !== undefined && { reason: outcome.failed }),
        args: json(outcome.args ?? job.args),
        ...(state !== 'started' && { sealed: null }),
        done: outcome.done ?? job.done,
        total: outcome.total ?? job.total,
        attempts: 0,
        available_at: at + hold,
        updated_at: at,
      })
      .where('id', '=', id)
      .execute()
    return state === 'started' ? { state, until: at + hold } : { state }
  })
  // What a kind prepares is only handed back to itself.
  const declared: JobKind = { kind, step, outside: outside as Outside<unknown> | undefined }
  kinds.set(kind, declared)
  return declared
}

/** Jobs of one person that have not ended: who asks for more waits, so that others' turns come. */
const MOST_OF_A_PERSON = 50
const WAIT_SECONDS = 30

const checkRoom = async (db: Db, user_id: string): Promise<void> => {
  const { n } = await db.sql
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', user_id)
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .executeTakeFirstOrThrow()
  if (Number(n) < MOST_OF_A_PERSON) return
  throw tooMany(`${MOST_OF_A_PERSON} jobs of yours have not ended yet; start more when some have`, WAIT_SECONDS)
}

/** Puts a job into the queue, in the transaction that causes it. @returns its id. @throws Problem too_many where it is a person's */
export const enqueueJob = async (
  db: Db,
  { kind }: JobKind,
  job: {
    readonly dataset_no?: number
    readonly user_id?: string
    readonly args?: JsonObject
    readonly sealed?: string | null
    readonly total?: number
    /** Microseconds before which it is not taken. */
    readonly delay?: number
  } = {},
): Promise<string> => {
  if (job.user_id !== undefined) await checkRoom(db, job.user_id)
  const at = now()
  const delay = job.delay ?? 0
  const id = newId()
  await db.sql
    .insertInto('jobs')
    .values({
      id,
      kind,
      dataset_no: job.dataset_no ?? null,
      user_id: job.user_id ?? null,
      args: json(job.args ?? {}),
      sealed: job.sealed ?? null,
      state: delay === 0 ? 'queued' : 'scheduled',
      done: 0,
      total: job.total ?? null,
      reason: null,
      attempts: 0,
      // NOTE: `now` may be ahead of the clock of the process that looks next, which is to find what is due at once
      available_at: wallClock() + delay,
      inserted_at: at,
      updated_at: at,
    })
    .execute()
  return id
}
