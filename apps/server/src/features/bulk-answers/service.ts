import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { BulkAnswer } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { printJob } from '#features/jobs/public.ts'
import type { LabelToSet } from '#features/responses/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { findJob } from '#platform/jobs/operations.ts'
import type { UserShares } from '#platform/shares.ts'
import { startBulk } from './commands.ts'
import { chosenItems, matchedItems } from './queries.ts'
import { undoneItems } from './undo.ts'

type Ctx = { readonly store: Store }
type StartCtx = Ctx & Pick<UserShares, 'slowSearches'> & { readonly config: Pick<Config, 'maxAnswer'> }

const startedJob = async (ctx: Ctx, id: string): Promise<Job> => {
  const job = await ctx.store.read(findJob, { id })
  if (job === null) throw new Error(`job ${id} no longer exists`)
  return printJob(job)
}

/**
 * Starts a job that answers every record that matches a search. The search's filters refer to the caller's answers. The records
 * and the versions of the caller's answers are determined when the job starts. @throws Problem not_found, forbidden,
 * unprocessable, business
 */
export const start = async (ctx: StartCtx, user: Actor, dataset_id: string, body: BulkAnswer): Promise<Job> => {
  const datasetArgs = { user: actorOf(user), dataset_id }
  const { search, limit = null, status, values, own_questions: own, skip_suggestions: skip } = body
  const fault = answerSizeFault(values, ctx.config.maxAnswer)
  if (fault !== null) throw unprocessable(fault)
  const giveBack = await ctx.slowSearches.take(user.id)
  const items = await ctx.store.read(matchedItems, { ...datasetArgs, body: search, limit }, { lane: 'slow' }).finally(giveBack)
  return startedJob(ctx, await ctx.store.write(startBulk, { ...datasetArgs, items, status, values, own, skip }))
}

type ToLabel = {
  readonly dataset_id: string
  readonly seqs: readonly number[]
  readonly label: LabelToSet
  /** The status to store for answers that aren't submitted yet. Submitted answers stay submitted. */
  readonly status: 'draft' | 'submitted'
  /** The names of all other questions. Their values don't change. */
  readonly others: readonly string[]
}

/**
 * Starts a job that adds a label to the caller's answers to some records. The job can be undone like any other bulk job. @throws
 * Problem not_found, forbidden, unprocessable
 */
export const startLabeling = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, seqs, label, status, others }: ToLabel,
): Promise<Job> => {
  const datasetArgs = { user: actorOf(user), dataset_id }
  const items = await ctx.store.read(chosenItems, { ...datasetArgs, seqs }, { lane: 'slow' })
  const answer = { status, values: {}, own: others, skip: others, label }
  return startedJob(ctx, await ctx.store.write(startBulk, { ...datasetArgs, items, ...answer }))
}

/**
 * Starts undoing one of the caller's jobs. A record gets its earlier answer back if its current answer is still the one that
 * the job stored.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const undo = async (ctx: Ctx, user: Actor, dataset_id: string, job_id: string): Promise<Job> => {
  const datasetArgs = { user: actorOf(user), dataset_id }
  const { status, items } = await ctx.store.read(undoneItems, { ...datasetArgs, job_id }, { lane: 'slow' })
  return startedJob(ctx, await ctx.store.write(startBulk, { ...datasetArgs, items, status, values: {}, own: [], undoes: job_id }))
}
