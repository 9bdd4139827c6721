import { getHistory, restoreChange } from '@postil/contract/history.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as queries from './queries.ts'
import * as history from './service.ts'

export const historyRoutes: readonly Registration[] = [
  route(getHistory, ({ ctx, user, params, query }) =>
    ctx.store.read(queries.getHistory, { user: actorOf(user), ...params, ...query }),
  ),
  route(restoreChange, ({ ctx, user, params, body }) => history.restore(ctx, user, params, body)),
]
