import * as contract from '@postil/contract/webhooks.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as webhooks from './service.ts'

export const webhookRoutes: readonly Registration[] = [
  route(contract.listWebhooks, ({ ctx, user }) => webhooks.listWebhooks(ctx, user)),
  route(contract.createWebhook, ({ ctx, user, body }) => webhooks.createWebhook(ctx, user, body)),
  route(contract.updateWebhook, ({ ctx, user, params, body }) => webhooks.updateWebhook(ctx, user, params.webhook_id, body)),
  route(contract.deleteWebhook, ({ ctx, user, params }) => webhooks.deleteWebhook(ctx, user, params.webhook_id)),
  route(contract.pingWebhook, ({ ctx, user, params }) => webhooks.pingWebhook(ctx, user, params.webhook_id)),
  route(contract.listDeliveries, ({ ctx, user, params, query }) =>
    webhooks.listDeliveries(ctx, user, params.webhook_id, query.status),
  ),
  route(contract.resendDelivery, ({ ctx, user, params }) => webhooks.resendDelivery(ctx, user, params)),
  route(contract.rotateWebhookSecret, ({ ctx, user, params }) => webhooks.rotateSecret(ctx, user, params.webhook_id)),
]
