import * as contract from '@postil/contract/snapshots.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './commands.ts'
import * as queries from './queries.ts'

export const snapshotRoutes: readonly Registration[] = [
  route(contract.listSnapshots, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listSnapshots, { user: actorOf(user), ...params }),
  })),
  route(contract.createSnapshot, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.createSnapshot, { user: actorOf(user), ...params, body }),
  ),
  route(contract.renameSnapshot, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.renameSnapshot, { user: actorOf(user), ...params, body }),
  ),
  route(contract.deleteSnapshot, ({ ctx, user, params }) =>
    ctx.store.write(commands.deleteSnapshot, { user: actorOf(user), ...params }),
  ),
]
