import type { BulkAnswer, BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { printJob } from '#features/jobs/service.ts'
import type { Store } from '#platform/db/store.ts'
import type { FileStream } from '#platform/http/answers/answers.ts'
import { findJob } from '#platform/jobs/operations.ts'
import { startBulk } from './commands.ts'
import type { Actor } from './policy.ts'
import { matchedItems, myBulkJobs } from './queries.ts'
import { type ReportFormat, reportOf } from './report.ts'
import { undoneItems } from './undo.ts'

type Ctx = { readonly store: Store }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

const begun = async (ctx: Ctx, id: string): Promise<Job> => {
  const job = await ctx.store.read(findJob, { id })
  if (job === null) throw new Error(`job ${id} is gone`)
  return printJob(job)
}

/**
 * Begins to answer every record that a search by the caller's answers finds now. Which records these are, and which answers of the caller
 * they had, is settled here. @throws Problem not_found, forbidden, unprocessable, business
 */
export const start = async (ctx: Ctx, user: Actor, dataset_id: string, body: BulkAnswer): Promise<Job> => {
  const which = { user: actorOf(user), dataset_id }
  const { search, limit = null, status, values, own_questions } = body
  const items = await ctx.store.read(matchedItems, { ...which, body: search, limit }, { lane: 'slow' })
  return begun(ctx, await ctx.store.write(startBulk, { ...which, items, status, values, own: own_questions }))
}

/**
 * Begins to take back what a job of the caller's has stored: each record gets the answer that it had, where its answer still is the job's.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const undo = async (ctx: Ctx, user: Actor, dataset_id: string, job_id: string): Promise<Job> => {
  const which = { user: actorOf(user), dataset_id }
  const { status, items } = await ctx.store.read(undoneItems, { ...which, job_id }, { lane: 'slow' })
  return begun(ctx, await ctx.store.write(startBulk, { ...which, items, status, values: {}, own: [], undoes: job_id }))
}

/** @throws Problem not_found, forbidden */
export const list = async (
  { store }: Pick<Ctx, 'store'>,
  user: Actor,
  dataset_id: string,
): Promise<{ items: BulkAnswerJob[] }> => ({
  items: await store.read(myBulkJobs, { user: actorOf(user), dataset_id }),
})

/** @throws Problem not_found, forbidden */
export const report = (
  ctx: Pick<Ctx, 'store'>,
  user: Actor,
  which: { readonly dataset_id: string; readonly job_id: string; readonly format: ReportFormat },
): Promise<FileStream> => reportOf(ctx, actorOf(user), which)
