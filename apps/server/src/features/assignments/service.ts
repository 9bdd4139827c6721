import type { AssignBody, MoveBody, UnassignBody } from '@postil/contract/assignments.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { printJob } from '#features/jobs/public.ts'
import { findTargets } from '#features/search/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { findJob } from '#platform/jobs/operations.ts'
import { type Micros, readTime } from '#platform/time.ts'
import { type Change, type Item, splitEvenly } from './change.ts'
import { removeAssignmentsOf, startChange, startUndo } from './commands.ts'
import * as queries from './queries.ts'
import type { InDataset } from './scope.ts'

type SearchCtx = Parameters<typeof findTargets>[0]

const startedJob = async ({ store }: { readonly store: Store }, id: string): Promise<Job> => {
  const job = await store.read(findJob, { id })
  if (job === null) throw new Error(`job ${id} no longer exists`)
  return printJob(job)
}

const forEveryone = (seqs: readonly number[]): readonly Item[] => seqs.map((seq) => ({ seq, person: null }))
const distinct = (ids: readonly string[]): readonly string[] => [...new Set(ids)]

/** @throws Problem unprocessable */
const dueDate = (text: string | null | undefined): Micros | null => {
  if (text === null || text === undefined) return null
  const due = readTime(text)
  if (due === null) throw unprocessable(message('dueDateInvalid', { value: text }))
  return due
}

type Started = { readonly change: Change; readonly items: readonly Item[] }
const start = async (ctx: SearchCtx, of: InDataset, started: Started): Promise<Job> =>
  startedJob(ctx, await ctx.store.write(startChange, { ...of, ...started }))

const inDataset = (user: Actor, dataset_id: string): InDataset => ({ user: actorOf(user), dataset_id })

/** @throws Problem not_found, forbidden, unprocessable, business */
export const assign = async (ctx: SearchCtx, user: Actor, dataset_id: string, body: AssignBody): Promise<Job> => {
  const of = inDataset(user, dataset_id)
  const to = distinct(body.user_ids)
  const due_at = dueDate(body.due_at)
  const seqs = await findTargets(ctx, user, dataset_id, body)
  const items = body.mode === 'split' ? splitEvenly(seqs, to.length) : forEveryone(seqs)
  return start(ctx, of, { change: { do: 'assign', to, due_at, replace: body.replace }, items })
}

/** @throws Problem not_found, forbidden, unprocessable, business */
export const unassign = async (ctx: SearchCtx, user: Actor, dataset_id: string, body: UnassignBody): Promise<Job> => {
  const of = inDataset(user, dataset_id)
  const items = forEveryone(await findTargets(ctx, user, dataset_id, body))
  return start(ctx, of, { change: { do: 'unassign', from: body.user_ids ?? null }, items })
}

/** @throws Problem not_found, forbidden, unprocessable */
export const move = async (ctx: SearchCtx, user: Actor, dataset_id: string, body: MoveBody): Promise<Job> => {
  const of = inDataset(user, dataset_id)
  const to = distinct(body.to_user_ids)
  if (to.includes(body.from_user_id)) throw unprocessable(message('movedToSame'))
  const seqs = await ctx.store.read(queries.remainingOf, { ...of, user_id: body.from_user_id }, { lane: 'slow' })
  return start(ctx, of, { change: { do: 'move', from: body.from_user_id, to }, items: splitEvenly(seqs, to.length) })
}

/** @throws Problem not_found, forbidden, unprocessable */
export const undo = async (ctx: { readonly store: Store }, user: Actor, dataset_id: string, job_id: string): Promise<Job> =>
  startedJob(ctx, await ctx.store.write(startUndo, { ...inDataset(user, dataset_id), job_id }))

/** Removes all assignments of a user who has left a workspace, so that others get the records. */
export const removeOfUser = async (
  { store }: { readonly store: Store },
  user_id: string,
  workspace_id: string,
): Promise<void> => {
  for (const dataset_no of await store.read(queries.datasetNumbers, { workspace_id })) {
    let after: number | null = 0
    while (after !== null) after = await store.write(removeAssignmentsOf, { user_id, dataset_no, after })
  }
}
