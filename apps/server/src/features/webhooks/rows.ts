import type {
  DeliveryEvent,
  DeliveryStatus,
  WebhookDelivery,
  WebhookEvent,
  Webhook as WebhookPayload,
} from '@postil/contract/webhooks.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Db } from '#platform/db/db.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { messageId } from './message.ts'

/** A stored webhook. */
export type WebhookRow = {
  readonly id: string
  readonly url: string
  readonly secret_sealed: string
  readonly events: readonly string[]
  readonly enabled: boolean
  readonly description: string | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

const webhookColumns = ['id', 'url', 'secret_sealed', 'events', 'enabled', 'description', 'inserted_at', 'updated_at'] as const

export const selectWebhooks = (db: Db) => db.sql.selectFrom('webhooks').select(webhookColumns)

export const printWebhook = (secrets: Secrets, row: WebhookRow): WebhookPayload => ({
  id: row.id,
  url: row.url,
  secret: secrets.decrypt(row.secret_sealed) ?? '',
  events: row.events as WebhookEvent[],
  enabled: row.enabled,
  description: row.description,
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})

/** The event type of a test delivery. Webhooks can't subscribe to it. */
export const PING = 'ping' satisfies DeliveryEvent

/** An outbox row without its payload. */
export type DeliveryRow = {
  readonly id: string
  readonly event: string
  readonly at: Micros
  readonly state: 'waiting' | 'held' | 'delivered' | 'given_up'
  readonly attempts: number
  readonly available_at: Micros
  readonly attempted_at: Micros | null
  readonly http_status: number | null
  readonly duration_ms: number | null
  readonly error: string | null
}

export const deliveryColumns = [
  'id',
  'event',
  'at',
  'state',
  'attempts',
  'available_at',
  'attempted_at',
  'http_status',
  'duration_ms',
  'error',
] as const

const STATUSES: { readonly [S in DeliveryRow['state']]: DeliveryStatus } = {
  waiting: 'waiting',
  held: 'sending',
  delivered: 'delivered',
  given_up: 'given_up',
}
export const stateOf = (status: DeliveryStatus): DeliveryRow['state'] => (status === 'sending' ? 'held' : status)

export const printDelivery = (row: DeliveryRow, webhook: { readonly enabled: boolean }): WebhookDelivery => ({
  id: row.id,
  message_id: messageId(row.id),
  event: row.event as DeliveryEvent,
  status: STATUSES[row.state],
  attempts: row.attempts,
  http_status: row.http_status,
  duration_ms: row.duration_ms,
  error: row.error,
  attempted_at: row.attempted_at === null ? null : printTime(row.attempted_at),
  next_attempt_at: row.state === 'waiting' && webhook.enabled ? printTime(row.available_at) : null,
  inserted_at: printTime(row.at),
})
