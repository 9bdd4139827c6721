import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { httpUrl } from './wire/http-url.ts'
import { patch } from './wire/patch.ts'
import { bool, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const WebhookEvent = z.enum([
  'dataset.created',
  'dataset.updated',
  'dataset.deleted',
  'dataset.published',
  'record.created',
  'record.updated',
  'record.deleted',
  'record.completed',
  'response.created',
  'response.updated',
  'response.deleted',
])
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z.strictObject({
  id: printedUuid(),
  url: z.string(),
  secret: z.string(),
  events: z.array(WebhookEvent),
  enabled: z.boolean(),
  description: z.string().nullable(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Webhook = z.infer<typeof Webhook>

const events = z
  .array(WebhookEvent)
  .min(1)
  .superRefine((list, ctx) => {
    if (new Set(list).size === list.length) return
    ctx.addIssue({ code: 'custom', message: 'Value error, Events must be unique', params: { type: 'value_error' } })
  })
const description = text({ min: 1, max: 1000 })

export const WebhookCreate = z.object({ url: httpUrl, events, description: description.nullish() })
export type WebhookCreate = z.infer<typeof WebhookCreate>
export const WebhookUpdate = patch({ url: httpUrl, events, enabled: bool() }, { description })
export type WebhookUpdate = z.infer<typeof WebhookUpdate>

export const listWebhooks = defineEndpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  result: itemsOf(Webhook),
  errors: [403],
  summary: 'List all webhooks, oldest first',
})
export const createWebhook = defineEndpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  body: WebhookCreate,
  status: 201,
  result: Webhook,
  errors: [403],
  summary: 'Create a webhook; a server has at most ten',
})
export const updateWebhook = defineEndpoint({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/:webhook_id',
  body: WebhookUpdate,
  result: Webhook,
  errors: [403, 404],
  summary: 'Update a webhook',
})
export const deleteWebhook = defineEndpoint({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/:webhook_id',
  result: Webhook,
  errors: [403, 404],
  summary: 'Delete a webhook',
})
export const pingWebhook = defineEndpoint({
  id: 'webhooks.ping',
  method: 'POST',
  path: '/webhooks/:webhook_id/ping',
  errors: [403, 404],
  summary: 'Send a test event; the delivery log records the response',
})

export const DeliveryStatus = z.enum(['waiting', 'sending', 'delivered', 'given_up'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** A subscribed event, or a test. */
export const DeliveryEvent = z.enum([...WebhookEvent.options, 'ping'])
export type DeliveryEvent = z.infer<typeof DeliveryEvent>

/** The delivery of one event, or of a test, to one webhook. */
export const WebhookDelivery = z.strictObject({
  id: printedUuid(),
  /** The value of the header `webhook-id` in every attempt. */
  message_id: z.string(),
  event: DeliveryEvent,
  status: DeliveryStatus,
  /** The number of attempts. It starts again at 0 if a delivery that has ended is resent. */
  attempts: z.int(),
  /** This key and the next three describe the last attempt. Null if there was no attempt, or if it got no response. */
  http_status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  error: z.string().nullable(),
  attempted_at: printedDatetime().nullable(),
  /** Null if the delivery is not waiting or its webhook is disabled. */
  next_attempt_at: printedDatetime().nullable(),
  /** When the event happened. */
  inserted_at: printedDatetime(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const listDeliveries = defineEndpoint({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/:webhook_id/deliveries',
  query: z.object({ status: DeliveryStatus.optional() }),
  result: itemsOf(WebhookDelivery),
  errors: [403, 404],
  addition: true,
  summary: 'List the last 1,000 deliveries of a webhook, newest first',
})
export const resendDelivery = defineEndpoint({
  id: 'webhooks.resend',
  method: 'POST',
  path: '/webhooks/:webhook_id/deliveries/:delivery_id/resend',
  result: WebhookDelivery,
  errors: [403, 404],
  addition: true,
  summary: 'Resend a delivery, or send a waiting one now',
})
export const rotateWebhookSecret = defineEndpoint({
  id: 'webhooks.rotate_secret',
  method: 'POST',
  path: '/webhooks/:webhook_id/secret',
  result: Webhook,
  errors: [403, 404],
  addition: true,
  summary: 'Replace the secret of a webhook',
})

export const webhookEndpoints = [
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  pingWebhook,
  listDeliveries,
  resendDelivery,
  rotateWebhookSecret,
] as const
