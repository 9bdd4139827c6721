import {
  deleteSuggestion,
  deleteSuggestions,
  listSuggestions,
  putSuggestion,
  type Suggestion,
} from '@postil/contract/suggestions.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { rawJson, reply } from '#platform/http/answers/answers.ts'
import { type Registration, route } from '#platform/http/route.ts'
import * as operations from './operations.ts'
import * as suggestions from './service.ts'

export const suggestionRoutes: readonly Registration[] = [
  route(listSuggestions, ({ ctx, user, params }) => suggestions.listSuggestions(ctx, user, params.record_id)),
  route(putSuggestion, async ({ ctx, user, params, body }) => {
    const { body: suggestion, created } = await suggestions.putSuggestion(ctx, user, params.record_id, body)
    return reply<Suggestion>(created ? 201 : 200, suggestion)
  }),
  route(deleteSuggestions, async ({ ctx, user, params, query }) => {
    await ctx.store.write(operations.deleteSuggestions, { user: actorOf(user), ...params, ids: query.ids })
    return reply(204, undefined)
  }),
  route(deleteSuggestion, async ({ ctx, user, params }) =>
    rawJson(await ctx.store.write(operations.deleteSuggestion, { user: actorOf(user), id: params.suggestion_id })),
  ),
]
