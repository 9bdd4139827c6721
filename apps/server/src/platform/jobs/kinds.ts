import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Command } from '#platform/db/operations.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
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
}

/** What one step did; `args`, `done` and `total` stay as they are when left out. */
export type StepOutcome = {
  readonly finished: boolean
  readonly args?: JsonObject
  readonly done?: number
  readonly total?: number
}

type StepResult = { readonly state: 'lost' | 'finished' } | { readonly state: 'started'; readonly until: Micros }
export type JobKind = { readonly kind: string; readonly step: Command<Held & { readonly hold: number }, StepResult> }

const kinds = new Map<string, JobKind>()
export const knownKinds = (): readonly string[] => [...kinds.keys()]
export const findKind = (kind: string): JobKind | undefined => kinds.get(kind)

/** A step works at most this long, so that nobody waits for the store's writer. */
export const STEP_MS = 50

/** True until a step that began with this call has used its time; it leaves a rest for the commit. */
export const stepTime = (): (() => boolean) => {
  const end = performance.now() + STEP_MS * 0.6
  return () => performance.now() < end
}

/**
 * Declares a kind of background job. A job is carried out step by step; a step is one transaction of at most `STEP_MS` that does a part of
 * the work and keeps how far it came. So a job that is killed goes on where its last committed step ended, and a step never happens twice.
 */
export const jobKind = (kind: string, run: (db: Db, job: Job) => Promise<StepOutcome>): JobKind => {
  const step = command(`job ${kind}`, async (db, { id, until, hold }: Held & { readonly hold: number }): Promise<StepResult> => {
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
    const outcome = await run(db, job)
    const at = now()
    await db.sql
      .updateTable('jobs')
      .set({
        state: outcome.finished ? 'finished' : 'started',
        args: json(outcome.args ?? job.args),
        done: outcome.done ?? job.done,
        total: outcome.total ?? job.total,
        attempts: 0,
        available_at: at + hold,
        updated_at: at,
      })
      .where('id', '=', id)
      .execute()
    return outcome.finished ? { state: 'finished' } : { state: 'started', until: at + hold }
  })
  const declared = { kind, step }
  kinds.set(kind, declared)
  return declared
}

/** Puts a job into the queue, in the transaction that causes it. @returns its id */
export const enqueueJob = async (
  db: Db,
  { kind }: JobKind,
  job: { readonly dataset_no?: number; readonly user_id?: string; readonly args?: JsonObject; readonly total?: number } = {},
): Promise<string> => {
  const at = now()
  const id = newId()
  await db.sql
    .insertInto('jobs')
    .values({
      id,
      kind,
      dataset_no: job.dataset_no ?? null,
      user_id: job.user_id ?? null,
      args: json(job.args ?? {}),
      state: 'queued',
      done: 0,
      total: job.total ?? null,
      reason: null,
      attempts: 0,
      available_at: at,
      inserted_at: at,
      updated_at: at,
    })
    .execute()
  return id
}
