import { getQueueSettings, giveBackLeases, renewLeases, setQueueSettings, takeFromQueue } from '@postil/contract/queue.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { reply } from '#platform/http/answers/answers.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { releaseLeases } from './commands.ts'
import * as queue from './service.ts'
import { getSettings, setSettings } from './settings.ts'

export const queueRoutes: readonly Registration[] = [
  route(getQueueSettings, ({ ctx, user, params }) => ctx.store.read(getSettings, { user: actorOf(user), ...params })),
  route(setQueueSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(setSettings, { user: actorOf(user), ...params, body }),
  ),
  route(takeFromQueue, ({ ctx, user, params, body }) => queue.take(ctx, user, params.dataset_id, body)),
  route(renewLeases, ({ ctx, user, params, body }) => queue.renew(ctx, user, params.dataset_id, body)),
  route(giveBackLeases, async ({ ctx, user, params, query }) => {
    const { ids = null, purpose, until = null, delay } = query
    await ctx.store.write(releaseLeases, { user: actorOf(user), ...params, ids, purpose, until, delay })
    return reply(204, undefined)
  }),
]
