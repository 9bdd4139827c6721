import type { Job, JobStatus, ListedJob } from '@postil/contract/jobs.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { findKind, type JobContext } from '#platform/jobs/kinds.ts'
import * as jobs from '#platform/jobs/operations.ts'
import { isStoppable, jobPolicy } from './policy.ts'
import { printJob } from './print-job.ts'
import { type FoundJob, findJobFor, listJobs as listQuery } from './queries.ts'
import * as rebuild from './rebuild-text.ts'

const jobNamed = async (store: Store, id: string, user: Actor): Promise<FoundJob> => {
  const uuid = parseUuid(id)
  const job = uuid === null ? null : await store.read(findJobFor, { id: uuid, user_id: user.id })
  if (job === null) throw notFound('job', id)
  return job
}

/** The server's latest jobs: running, finished and failed. @throws Problem forbidden */
export const listJobs = async (
  ctx: { readonly store: Store },
  user: Pick<Actor, 'role'>,
  status: JobStatus | undefined,
): Promise<{ items: ListedJob[] }> => {
  if (!jobPolicy.list(user)) throw forbidden()
  return { items: await ctx.store.read(listQuery, { status }) }
}

/** The state of a background job. @param id any string. @throws Problem not_found, then forbidden */
export const getJob = async (ctx: { readonly store: Store }, user: Actor, id: string): Promise<Job> => {
  const job = await jobNamed(ctx.store, id, user)
  if (!jobPolicy.get(user, job.user_id, job)) throw forbidden()
  return printJob(job)
}

/**
 * Cancels a job that a user started. Its changes so far are kept. A finished job isn't changed.
 * @param id any string. @throws Problem not_found, then forbidden, then unprocessable for the server's own jobs and for jobs that
 * must run to completion
 */
export const cancelJob = async (ctx: JobContext, user: Actor, id: string): Promise<Job> => {
  const job = await jobNamed(ctx.store, id, user)
  if (!jobPolicy.cancel(user, job.user_id)) throw forbidden()
  if (job.user_id === null) throw unprocessable(message('serverJob'))
  if (!isStoppable(job.kind)) throw unprocessable(message('jobUnstoppable'))
  await ctx.store.write(jobs.cancelJob, { id: job.id })
  const after = await jobNamed(ctx.store, id, user)
  if (after.state === 'canceled') await findKind(job.kind)?.outsideWork?.ended(ctx, job.id)
  return printJob(after)
}

/** Rebuilds every text index that is incomplete or was built with another version of the tokenizer. */
export const resumeTextRebuilds = async ({ store }: { readonly store: Store }): Promise<void> => {
  // One dataset at a time, because a transaction must not change two datasets
  for (const no of await store.read(rebuild.unfinishedTexts, {})) await store.write(rebuild.resumeTextRebuild, { no })
}
