import { tooMany } from '@postil/contract/wire/errors.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
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
import { failureReason } from './failure-reason.ts'
import { UNFINISHED } from './states.ts'

type JsonObject = { readonly [key: string]: unknown }

export type Job = {
  readonly id: string
  readonly dataset_no: number | null
  readonly user_id: string | null
  /** The job's parameters. A step may replace them, for example to store the job's progress. */
  readonly args: JsonObject
  readonly done: number
  readonly total: number | null
  /** How long the step may run, in milliseconds. */
  readonly ms: number
}

/** The result of one step. Omitted `args`, `done` and `total` keep their values. */
export type StepOutcome = {
  readonly finished: boolean
  /** Why the job can't continue. The job then fails, and its work so far is kept. */
  readonly failed?: Reason
  readonly args?: JsonObject
  readonly done?: number
  readonly total?: number
}

type StepResult = { readonly state: 'lost' | 'finished' | 'failed' } | { readonly state: 'started'; readonly until: Micros }
/** What running a job needs. */
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
  /** The result of `prepare`. */
  readonly input?: unknown
  /** Whether people are active and must not notice the step. */
  readonly isGentle?: boolean
}
/** Passed to a preparation that may take a long time. */
export type RemoteControl = {
  /** Aborted when the claim is lost: the job was canceled or taken over, or the process stops. */
  readonly signal: AbortSignal
  /** Reports the job's progress before its next step does. */
  readonly reportProgress: (done: number, total: number | null) => void
}
/** What a job kind does outside the transactions of its steps. */
type OutsideWork<I> = {
  /** Reads the input of the next step from outside the store. The input must survive structured clone. */
  readonly prepare: (ctx: JobContext, id: string, control?: RemoteControl) => Promise<I>
  /**
   * Prepares the next step while the result of the current step is being stored. Null if there is nothing to prepare. The next
   * step must check that the prepared input is still the input that it needs.
   * @param input the input of the current step
   */
  readonly prepareNext?: (ctx: JobContext, id: string, input: I) => Promise<I> | null
  /** Whether the job waits for other machines. Other jobs run in the meantime, and the job's claim is renewed. */
  readonly remote?: boolean
  /** Whether a remote job may run for hours. Such jobs have their own limits, so that they never block other jobs. */
  readonly long?: boolean
  /** True if nobody waits for the job. While people are active, its steps are short, with long pauses between them. */
  readonly gentle?: boolean
  /** Runs after the last step, whatever its outcome. May be skipped if the process is killed. */
  readonly ended: (ctx: JobContext, id: string) => Promise<void>
}
export type JobKind = {
  readonly kind: string
  readonly step: Command<StepArgs, StepResult>
  readonly outsideWork: OutsideWork<unknown> | undefined
}

const kinds = new Map<string, JobKind>()
export const knownKinds = (): readonly JobKind[] => [...kinds.values()]
export const findKind = (kind: string): JobKind | undefined => kinds.get(kind)

/** Maximum duration of a step in milliseconds. It is short, so that nobody has to wait for the store's writer. */
const STEP_MS = 50
/** How long a step may work, in milliseconds. The rest of `STEP_MS` is for the commit. */
const WORK_MS = STEP_MS * 0.6
/** Duration of a step of a gentle job, in milliseconds. It is shorter than users' requests, so that users don't notice it. */
const GENTLE_MS = 1

/**
 * Starts the timer of a step.
 * @returns a function that returns true until the step's time is used up, and always at its first call. Each step therefore
 *   makes progress, even if a slow database uses up the time before the work begins.
 */
export const startStepTimer = (ms = WORK_MS): (() => boolean) => {
  const end = performance.now() + ms
  let isFirst = true
  return () => {
    const hasTime = isFirst || performance.now() < end
    isFirst = false
    return hasTime
  }
}

/**
 * Declares a kind of background job. A job runs step by step. Each step is one transaction of at most `STEP_MS` that does part of
 * the work and stores the progress. A killed job therefore resumes after its last committed step, and no step happens twice.
 */
export const jobKind = <I = undefined>(
  kind: string,
  run: (db: Db, job: Job, input: I) => Promise<StepOutcome>,
  outsideWork?: OutsideWork<I>,
): JobKind => {
  const step = command(`job ${kind}`, async (db, { id, until, hold, input, isGentle }: StepArgs): Promise<StepResult> => {
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
    if (isGentle === true) await db.dialect.commitUnsynced(db.sql)
    // The cast is safe: `prepare` of the same kind created the input, so its type is `I`.
    const outcome = await run(db, { ...job, ms: isGentle === true ? GENTLE_MS : WORK_MS }, input as I)
    const at = now()
    const state = outcome.failed !== undefined ? 'failed' : outcome.finished ? 'finished' : 'started'
    await db.atCommit.sql
      .updateTable('jobs')
      .set({
        state,
        ...(outcome.failed !== undefined && failureReason(outcome.failed)),
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
  // Safe, because prepared input is only passed back to the kind of job that prepared it.
  const declared: JobKind = { kind, step, outsideWork: outsideWork as OutsideWork<unknown> | undefined }
  kinds.set(kind, declared)
  return declared
}

/** Maximum number of unfinished jobs per person. A person who reaches it must wait, so that others get their turn. */
const MAX_PER_USER = 50
const WAIT_SECONDS = 30

const checkUserLimit = async (db: Db, user_id: string): Promise<void> => {
  const { n } = await db.sql
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', user_id)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirstOrThrow()
  if (Number(n) < MAX_PER_USER) return
  throw tooMany(`You have ${MAX_PER_USER} unfinished jobs. Wait for some of them to finish before you start more`, WAIT_SECONDS)
}

/**
 * Adds a job to the queue in the transaction that requests it. @returns the job's ID. @throws Problem too_many if the person
 * has too many jobs
 */
export const enqueueJob = async (
  db: Db,
  { kind }: JobKind,
  job: {
    readonly dataset_no?: number
    readonly user_id?: string
    readonly args?: JsonObject
    readonly sealed?: string | null
    readonly total?: number
    /** How long to wait before the job can be claimed, in microseconds. */
    readonly delay?: number
  } = {},
): Promise<string> => {
  if (job.user_id !== undefined) await checkUserLimit(db, job.user_id)
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
      // Uses the wall clock. `now` may be ahead of the clock of the process that polls next. That process would then treat an
      // immediate job as one that isn't due yet.
      available_at: wallClock() + delay,
      inserted_at: at,
      updated_at: at,
    })
    .execute()
  return id
}
