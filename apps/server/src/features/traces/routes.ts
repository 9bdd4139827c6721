import { storeTraces } from '@postil/contract/traces.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { tracesBody } from './body.ts'
import * as commands from './commands.ts'

export const traceRoutes: readonly Registration[] = [
  route(
    storeTraces,
    async ({ ctx, user, params, query, body }) => ({
      partialSuccess: {},
      items: [
        ...(await ctx.store.write(commands.storeTraces, {
          user: actorOf(user),
          ...params,
          field: query.field ?? null,
          parts: body,
        })),
      ],
    }),
    { body: tracesBody },
  ),
]
