import { getSuggestionSettings, setSuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as settings from './settings.ts'

export const suggestionVisibilityRoutes: readonly Registration[] = [
  route(getSuggestionSettings, ({ ctx, user, params }) =>
    ctx.store.read(settings.getSuggestionSettings, { user: actorOf(user), ...params }),
  ),
  route(setSuggestionSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(settings.setSuggestionSettings, { user: actorOf(user), ...params, body }),
  ),
]
