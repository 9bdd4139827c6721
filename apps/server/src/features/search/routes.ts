import { getMetadataHistogram, getMetadataMetrics } from '@postil/contract/metadata-properties.ts'
import { getMyAnswerMetrics, getSuggestionMetrics } from '@postil/contract/question-metrics.ts'
import { listSuggestionOptions, searchMyRecords, searchRecords } from '@postil/contract/search.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { suggestionOptions } from './overviews/overviews.ts'
import * as search from './service.ts'

export const searchRoutes: readonly Registration[] = [
  route(searchRecords, ({ ctx, user, params, query, body }) =>
    search.searchAll(ctx, user, params.dataset_id, { ...query, body }),
  ),
  route(searchMyRecords, ({ ctx, user, params, query, body }) =>
    search.searchOwn(ctx, user, params.dataset_id, { ...query, body }),
  ),
  route(listSuggestionOptions, ({ ctx, user, params }) => ctx.store.read(suggestionOptions, { user: actorOf(user), ...params })),
  route(getMetadataMetrics, ({ ctx, user, params }) => search.metadataMetrics(ctx, user, params.metadata_property_id)),
  route(getMetadataHistogram, ({ ctx, user, params, query }) =>
    search.metadataHistogram(ctx, user, params.metadata_property_id, query.bins),
  ),
  route(getSuggestionMetrics, ({ ctx, user, params, query }) =>
    search.suggestionMetrics(ctx, user, params.question_id, query.bins),
  ),
  route(getMyAnswerMetrics, ({ ctx, user, params, query }) => search.answerMetrics(ctx, user, params.question_id, query.status)),
]
