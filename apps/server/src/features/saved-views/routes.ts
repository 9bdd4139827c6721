import * as contract from '@postil/contract/saved-views.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './commands.ts'
import * as queries from './queries.ts'

export const savedViewRoutes: readonly Registration[] = [
  route(contract.listSavedViews, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listViews, { user: actorOf(user), ...params }),
  })),
  route(contract.createSavedView, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.createView, { user: actorOf(user), ...params, body }),
  ),
  route(contract.updateSavedView, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.updateView, { user: actorOf(user), ...params, body }),
  ),
  route(contract.deleteSavedView, ({ ctx, user, params }) =>
    ctx.store.write(commands.deleteView, { user: actorOf(user), ...params }),
  ),
]
