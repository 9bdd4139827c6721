import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { AttemptResult, Held } from '#platform/jobs/claim.ts'
import { claimEvents, releaseEvent, settleEvent } from '#platform/jobs/claim.ts'
import { type Micros, now, wallClock } from '#platform/time.ts'
import type { Surplus } from './queries.ts'
import { type DeliveryRow, deliveryColumns, PING } from './rows.ts'

/** Claims due events for `hold` microseconds. */
export const takeDeliveries = command(
  'webhooks.take',
  (db, { webhook_id, ...options }: { webhook_id: string; limit: number; hold: number }) => claimEvents(db, webhook_id, options),
)

type SettleArgs = {
  readonly held: Held
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

export const releaseDelivery = command('webhooks.give-back', (db, { held }: { readonly held: Held }) => releaseEvent(db, held))

type Pinged = {
  readonly webhook: { readonly id: string; readonly url: string }
  readonly id: string
  readonly at: Micros
  readonly data: { readonly [key: string]: unknown }
  readonly attempted: AttemptResult
}
/**
 * Records a test and its result as a finished delivery, so that the delivery loop doesn't send the test. @returns the target
 * for the audit log
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
  // If the webhook was deleted during the test, its log no longer exists.
  if (await db.dialect.forUpdate(known).executeTakeFirst()) await db.dialect.insertMany(db.sql, 'outbox', [row])
  return { url: webhook.url }
})

type Resending = { readonly webhook_id: string; readonly id: string }
type Resent = DeliveryRow & { readonly url: string }
/**
 * Sends a delivery again, with a full set of attempts. A waiting delivery is sent immediately. A delivery in progress isn't
 * changed.
 * @returns the delivery and its target. @throws Problem not_found, unprocessable if the webhook is disabled
 */
export const resendDelivery = command('webhooks.resend', async (db, { webhook_id, id }: Resending): Promise<Resent> => {
  const webhook = await db.sql.selectFrom('webhooks').select(['enabled', 'url']).where('id', '=', webhook_id).executeTakeFirst()
  if (webhook === undefined) throw notFound('Webhook', webhook_id)
  const row = await db.dialect
    .forUpdate(db.sql.selectFrom('outbox').select(deliveryColumns).where('id', '=', id).where('webhook_id', '=', webhook_id))
    .executeTakeFirst()
  if (row === undefined) throw notFound('Delivery', id)
  if (!webhook.enabled) throw unprocessable(message('webhookDisabled', { id: webhook_id }))
  const { url } = webhook
  if (row.state === 'held') return { ...row, url }
  const change = { state: 'waiting' as const, available_at: wallClock(), attempts: row.state === 'waiting' ? row.attempts : 0 }
  await db.sql.updateTable('outbox').set(change).where('id', '=', id).execute()
  return { ...row, ...change, url }
})

const ROWS_PER_BATCH = 500

/** @returns how many rows were deleted */
export const dropRows = async (db: Db, { webhook_id, up_to }: Surplus): Promise<number> => {
  const all = db.sql.selectFrom('outbox').select('no').where('webhook_id', '=', webhook_id)
  const done = up_to === null ? all : all.where('state', 'in', ['delivered', 'given_up']).where('no', '<=', up_to)
  const rows = await done.orderBy('no').limit(ROWS_PER_BATCH).execute()
  const numbers = rows.map(({ no }) => no)
  if (numbers.length > 0) {
    await db.sql.deleteFrom('outbox').where('webhook_id', '=', webhook_id).where('no', 'in', db.dialect.listed(numbers)).execute()
  }
  return numbers.length
}

/** Deletes one batch of surplus rows. @returns how many rows were deleted; 0 if none are left */
export const dropSurplus = command('webhooks.drop-surplus', (db, surplus: Surplus) => dropRows(db, surplus))
