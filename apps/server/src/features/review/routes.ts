import { startAnswerJob, undoAnswerJob } from '@postil/contract/answer-jobs.ts'
import { listCorrections } from '@postil/contract/corrections.ts'
import type { Job } from '@postil/contract/jobs.ts'
import {
  getComparison,
  getReviewSettings,
  putGold,
  releaseReviews,
  returnResponse,
  setReviewSettings,
  startGoldJob,
  takeReviews,
  undoGoldJob,
} from '@postil/contract/review.ts'
import { getTestResults, letContinue } from '@postil/contract/test-items.ts'
import { printJob } from '#features/jobs/public.ts'
import { pageItems } from '#features/records/public.ts'
import { findTargets } from '#features/search/public.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { jsonList } from '#platform/http/answers/json-list.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { findJob } from '#platform/jobs/operations.ts'
import * as answers from './answers/commands.ts'
import * as comparison from './comparison.ts'
import { correctionInclude, findCorrections } from './corrections.ts'
import { startFilling, startUndo } from './filling/commands.ts'
import * as gold from './gold.ts'
import * as queue from './queue.ts'
import * as returning from './return.ts'
import * as settings from './settings.ts'
import * as tests from './test-results.ts'

const jobOf = async ({ store }: { readonly store: Store }, id: string): Promise<Job> => {
  const job = await store.read(findJob, { id })
  if (job === null) throw new Error(`job ${id} no longer exists`)
  return printJob(job)
}

export const reviewRoutes: readonly Registration[] = [
  route(getReviewSettings, ({ ctx, user, params }) => ctx.store.read(settings.getSettings, { user: actorOf(user), ...params })),
  route(setReviewSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(settings.setSettings, { user: actorOf(user), ...params, body }),
  ),
  route(takeReviews, async ({ ctx, user, params, body: { limit, exclude } }) => {
    const of = { user: actorOf(user), ...params, limit }
    const { records, left, more } = await ctx.store.read(queue.findReviews, { ...of, exclude: exclude ?? [] })
    const lease = ctx.config.leaseMs * 1000
    return { items: await ctx.store.write(queue.reserveReviews, { ...of, records, lease }), left, more }
  }),
  route(releaseReviews, async ({ ctx, user, params, query: { ids = null } }) => {
    await ctx.store.write(queue.releaseReviews, { user: actorOf(user), ...params, ids })
    return reply(204, undefined)
  }),
  route(getComparison, ({ ctx, user, params }) => ctx.store.read(comparison.getComparison, { user: actorOf(user), ...params })),
  route(listCorrections, async ({ ctx, user, params, query }) => {
    const of = { user: actorOf(user), ...params }
    const { page, questions, next } = await ctx.store.read(findCorrections, { ...of, ...query })
    const items = pageItems(
      ctx,
      { ...of, include: correctionInclude, own: true },
      page,
      ({ seq, text }) => `{"record":${text},"questions":${JSON.stringify(questions.get(seq) ?? [])}}`,
    )
    return jsonList(items, `"next":${next}`)
  }),
  route(getTestResults, ({ ctx, user, params }) => tests.getTestResults(ctx, { user: actorOf(user), ...params })),
  route(letContinue, async ({ ctx, user, params }) => {
    await ctx.store.write(tests.letContinue, { user: actorOf(user), ...params })
    return reply(204, undefined)
  }),
  route(putGold, ({ ctx, user, params, body }) =>
    ctx.store.write(gold.putGold, { user: actorOf(user), ...params, body, maxAnswer: ctx.config.maxAnswer }),
  ),
  route(returnResponse, ({ ctx, user, params, body }) => {
    const { username } = user
    return ctx.store.write(returning.returnResponse, { user: { ...actorOf(user), username }, ...params, body })
  }),
  route(startGoldJob, async ({ ctx, user, params, body }) => {
    const seqs = await findTargets(ctx, user, params.dataset_id, body)
    return jobOf(ctx, await ctx.store.write(startFilling, { user: actorOf(user), ...params, body, seqs }))
  }),
  route(undoGoldJob, async ({ ctx, user, params }) =>
    jobOf(ctx, await ctx.store.write(startUndo, { user: actorOf(user), ...params })),
  ),
  route(startAnswerJob, async ({ ctx, user, params, body }) => {
    const seqs = await findTargets(ctx, user, params.dataset_id, body)
    return jobOf(ctx, await ctx.store.write(answers.startChange, { user: actorOf(user), ...params, body, seqs }))
  }),
  route(undoAnswerJob, async ({ ctx, user, params }) =>
    jobOf(ctx, await ctx.store.write(answers.startUndo, { user: actorOf(user), ...params })),
  ),
]
