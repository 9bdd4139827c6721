import { bulkAnswerReport, listBulkAnswers, startBulkAnswer, undoBulkAnswer } from '@postil/contract/bulk-answers.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as bulk from './service.ts'

export const bulkAnswerRoutes: readonly Registration[] = [
  route(startBulkAnswer, ({ ctx, user, params, body }) => bulk.start(ctx, user, params.dataset_id, body)),
  route(listBulkAnswers, ({ ctx, user, params }) => bulk.list(ctx, user, params.dataset_id)),
  route(undoBulkAnswer, ({ ctx, user, params }) => bulk.undo(ctx, user, params.dataset_id, params.job_id)),
  route(bulkAnswerReport, ({ ctx, user, params, query }) => bulk.report(ctx, user, { ...params, format: query.format })),
]
