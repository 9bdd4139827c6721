import { getQueueSettings, giveBackLeases, renewLeases, setQueueSettings, takeFromQueue } from '@postil/contract/queue.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as queue from './service.ts'

export const queueRoutes: readonly Registration[] = [
  route(getQueueSettings, ({ ctx, user, params }) => queue.settings(ctx, user, params.dataset_id)),
  route(setQueueSettings, ({ ctx, user, params, body }) => queue.setSettings(ctx, user, params.dataset_id, body)),
  route(takeFromQueue, ({ ctx, user, params, body }) => queue.take(ctx, user, params.dataset_id, body)),
  route(renewLeases, ({ ctx, user, params, body }) => queue.renew(ctx, user, params.dataset_id, body.record_ids)),
  route(giveBackLeases, ({ ctx, user, params, query }) => queue.release(ctx, user, params.dataset_id, query.ids)),
]
