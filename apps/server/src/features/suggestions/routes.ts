import {
  deleteSuggestion,
  deleteSuggestions,
  listSuggestions,
  putSuggestion,
  type Suggestion,
} from '@postil/contract/suggestions.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { type Registration, route } from '#platform/http/route.ts'
import * as suggestions from './service.ts'

export const suggestionRoutes: readonly Registration[] = [
  route(listSuggestions, ({ ctx, user, params }) => suggestions.listSuggestions(ctx, user, params.record_id)),
  route(putSuggestion, async ({ ctx, user, params, body }) => {
    const { body: suggestion, created } = await suggestions.putSuggestion(ctx, user, params.record_id, body)
    return reply<Suggestion>(created ? 201 : 200, suggestion)
  }),
  route(deleteSuggestions, ({ ctx, user, params, query }) =>
    suggestions.deleteSuggestions(ctx, user, params.record_id, query.ids),
  ),
  route(deleteSuggestion, ({ ctx, user, params }) => suggestions.deleteSuggestion(ctx, user, params.suggestion_id)),
]
