import { getHistory, restoreChange } from '@postil/contract/history.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as history from './service.ts'

export const historyRoutes: readonly Registration[] = [
  route(getHistory, ({ ctx, user, params, query }) => history.get(ctx, user, { ...params, ...query })),
  route(restoreChange, ({ ctx, user, params, body }) => history.restore(ctx, user, params, body)),
]
