import { getActiveTimeSettings, getMyActiveTime, setActiveTimeSettings } from '@postil/contract/active-time.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { myActiveTime } from './queries.ts'
import * as settings from './settings.ts'

export const activeTimeRoutes: readonly Registration[] = [
  route(getMyActiveTime, ({ ctx, user, params }) => ctx.store.read(myActiveTime, { user: actorOf(user), ...params })),
  route(getActiveTimeSettings, ({ ctx, user, params }) =>
    ctx.store.read(settings.getActiveTimeSettings, { user: actorOf(user), ...params }),
  ),
  route(setActiveTimeSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(settings.setActiveTimeSettings, { user: actorOf(user), ...params, body }),
  ),
]
