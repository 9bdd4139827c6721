import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import type { AttemptResult, HeldEvent } from '#platform/jobs/claim.ts'
import { claimEvents, releaseEvent, settleEvent } from '#platform/jobs/claim.ts'
import { type Micros, now, wallClock } from '#platform/time.ts'
import { type DeliveryRow, deliveryColumns, PING } from './rows.ts'

/** Claims due events of one dataset. */
export const takeDeliveries = command('webhooks.take', claimEvents)

type SettleArgs = {
  readonly held: HeldEvent
  readonly attempted: AttemptResult
  /** Microseconds until the next attempt; null if there is none. */
  readonly retryAfter: number | null
  readonly delivered: boolean
}
/** Records the result of an attempt. @returns false if the claim had expired */
export const settleDelivery = command(
  'webhooks.settle',
  (db, { held, attempted, retryAfter, delivered }: SettleArgs): Promise<boolean> => {
    if (delivered) return settleEvent(db, held, { state: 'delivered', ...attempted })
    if (retryAfter === null) return settleEvent(db, held, { state: 'given_up', ...attempted })
    return settleEvent(db, held, { state: 'waiting', available_at: now() + retryAfter, ...attempted })
  },
)

export const releaseDelivery = command('webhooks.give-back', (db, { held }: { readonly held: HeldEvent }) =>
  releaseEvent(db, held),
)

type Pinged = {
  readonly webhook: { readonly id: string; readonly url: string }
  readonly id: string
  readonly at: Micros
  readonly data: { readonly [key: string]: unknown }
  readonly attempted: AttemptResult
}
/**
 * Stores a test delivery with its result. The delivery is stored as finished, so that the delivery loop doesn't send it. @returns
 * the target for the audit log
 */
export const logPing = command('webhooks.ping', async (db, { webhook, id, at, data, attempted }: Pinged): Promise<object> => {
  const row = {
    id,
    webhook_id: webhook.id,
    dataset_no: 0,
    subject_id: webhook.id,
    event: PING,
    at,
    payload: json(data),
    state: attempted.error === null ? ('delivered' as const) : ('given_up' as const),
    attempts: 1,
    available_at: at,
    ...attempted,
  }
  const known = db.sql.selectFrom('webhooks').select('id').where('id', '=', webhook.id)
  // If the webhook was deleted during the test, its log no longer exists, and nothing is stored. The row's dataset number is 0,
  // because a test doesn't belong to a dataset.
  if (await db.dialect.forUpdate(known).executeTakeFirst()) await db.sql.insertInto('outbox').values(row).execute()
  return { url: webhook.url }
})

type Resending = { readonly webhook_id: string; readonly id: string }
type Resent = DeliveryRow & { readonly url: string }
/**
 * Sends a delivery again. A delivery that has ended gets as many attempts as a new one. A waiting delivery is attempted
 * immediately and keeps its number of attempts. A delivery that is being sent isn't changed.
 * @returns the delivery and its target. @throws Problem not_found, unprocessable if the webhook is disabled
 */
export const resendDelivery = command('webhooks.resend', async (db, { webhook_id, id }: Resending): Promise<Resent> => {
  const webhook = await db.sql.selectFrom('webhooks').select(['enabled', 'url']).where('id', '=', webhook_id).executeTakeFirst()
  if (webhook === undefined) throw notFound('Webhook', webhook_id)
  const found = await db.sql
    .selectFrom('outbox')
    .select('dataset_no')
    .where('id', '=', id)
    .where('webhook_id', '=', webhook_id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Delivery', id)
  const { dataset_no } = found
  const row = await db.dialect
    .forUpdate(db.sql.selectFrom('outbox').select(deliveryColumns).where('dataset_no', '=', dataset_no).where('id', '=', id))
    .executeTakeFirst()
  // The log may have dropped the delivery since the user saw it.
  if (row === undefined) throw notFound('Delivery', id)
  if (!webhook.enabled) throw unprocessable(message('webhookDisabled', { id: webhook_id }))
  const { url } = webhook
  if (row.state === 'held') return { ...row, url }
  const change = { state: 'waiting' as const, available_at: wallClock(), attempts: row.state === 'waiting' ? row.attempts : 0 }
  await db.sql.updateTable('outbox').set(change).where('dataset_no', '=', dataset_no).where('id', '=', id).execute()
  return { ...row, ...change, url }
})

type Dropped = { readonly dataset_no: number; readonly ids: readonly string[] }
/** Deletes surplus rows of one dataset. */
export const dropSurplus = command('webhooks.drop-surplus', async (db, { dataset_no, ids }: Dropped): Promise<void> => {
  await db.sql.deleteFrom('outbox').where('dataset_no', '=', dataset_no).where('id', 'in', ids).execute()
})
