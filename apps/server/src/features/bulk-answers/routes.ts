import { bulkAnswerReport, listBulkAnswers, startBulkAnswer, undoBulkAnswer } from '@postil/contract/bulk-answers.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { myBulkJobs } from './queries.ts'
import { reportOf } from './report.ts'
import * as bulk from './service.ts'

export const bulkAnswerRoutes: readonly Registration[] = [
  route(startBulkAnswer, ({ ctx, user, params, body }) => bulk.start(ctx, user, params.dataset_id, body)),
  route(listBulkAnswers, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(myBulkJobs, { user: actorOf(user), ...params }),
  })),
  route(undoBulkAnswer, ({ ctx, user, params }) => bulk.undo(ctx, user, params.dataset_id, params.job_id)),
  route(bulkAnswerReport, ({ ctx, user, params, query }) => reportOf(ctx, actorOf(user), { ...params, format: query.format })),
]
