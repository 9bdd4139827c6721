import { randomBytes } from 'node:crypto'
import { wireVersion } from '@postil/contract/info.ts'
import type { DeliveryStatus, Webhook, WebhookCreate, WebhookDelivery, WebhookUpdate } from '@postil/contract/webhooks.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { AppContext } from '#context.ts'
import type { User } from '#platform/auth/user.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import * as commands from './commands.ts'
import { logPing, resendDelivery as resendCommand } from './delivery-commands.ts'
import { webhookPolicy } from './policy.ts'
import * as queries from './queries.ts'
import { PING, printDelivery, printWebhook, type WebhookRow } from './rows.ts'
import { attemptedOf, sendMessage } from './send.ts'

const SECRET_BYTES = 64

/** Loads the webhook and checks the permission. @throws Problem not_found, then forbidden */
const load = async (ctx: AppContext, user: User, id: string, action: keyof typeof webhookPolicy): Promise<WebhookRow> => {
  const row = await ctx.store.read(queries.getWebhook, { id })
  if (row === null) throw notFound('Webhook', id)
  if (!webhookPolicy[action](user)) throw forbidden()
  return row
}

const newSecret = (ctx: AppContext): string => ctx.secrets.encrypt(randomBytes(SECRET_BYTES).toString('base64'))

export const listWebhooks = async (ctx: AppContext, user: User): Promise<{ items: Webhook[] }> => {
  if (!webhookPolicy.list(user)) throw forbidden()
  const rows = await ctx.store.read(queries.listWebhooks, null)
  return { items: rows.map((row) => printWebhook(ctx.secrets, row)) }
}

export const createWebhook = async (ctx: AppContext, user: User, body: WebhookCreate): Promise<Webhook> => {
  if (!webhookPolicy.create(user)) throw forbidden()
  const { url, events, description = null } = body
  return printWebhook(
    ctx.secrets,
    await ctx.store.write(commands.createWebhook, { url, events, description, secret_sealed: newSecret(ctx) }),
  )
}

export const updateWebhook = async (ctx: AppContext, user: User, id: string, change: WebhookUpdate): Promise<Webhook> => {
  await load(ctx, user, id, 'update')
  return printWebhook(ctx.secrets, await ctx.store.write(commands.updateWebhook, { id, change }))
}

export const deleteWebhook = async (ctx: AppContext, user: User, id: string): Promise<Webhook> => {
  await load(ctx, user, id, 'delete')
  return printWebhook(ctx.secrets, await ctx.store.write(commands.deleteWebhook, { id }))
}

/** After this returns, nothing is signed with the old secret. */
export const rotateSecret = async (ctx: AppContext, user: User, id: string): Promise<Webhook> => {
  await load(ctx, user, id, 'rotateSecret')
  return printWebhook(ctx.secrets, await ctx.store.write(commands.changeSecret, { id, secret_sealed: newSecret(ctx) }))
}

// The data of a test event. Receivers identify the sender by `agent`.
const PING_DATA = { agent: 'argilla-server', version: wireVersion }

/**
 * Sends a test event once, immediately, even to a disabled webhook. It is logged regardless of the result. @throws Problem
 * unprocessable if there is no response
 */
export const pingWebhook = async (ctx: AppContext, user: User, id: string): Promise<undefined> => {
  const { url, secret_sealed } = await load(ctx, user, id, 'ping')
  const event = { id: newId(), at: now() }
  const began = performance.now()
  const sent = await sendMessage(ctx, { ...event, url, secret_sealed, event: PING, data: JSON.stringify(PING_DATA) })
  const attempted = attemptedOf(sent, began)
  await ctx.store.write(logPing, { ...event, webhook: { id, url }, data: PING_DATA, attempted })
  if (sent.http_status === null) throw unprocessable(message('webhookUnreachable', { id }, sent.reason))
}

export const listDeliveries = async (
  ctx: AppContext,
  user: User,
  id: string,
  status: DeliveryStatus | undefined,
): Promise<{ items: WebhookDelivery[] }> => {
  const webhook = await load(ctx, user, id, 'seeDeliveries')
  const rows = await ctx.store.read(queries.listDeliveries, { webhook_id: id, status })
  return { items: rows.map((row) => printDelivery(row, webhook)) }
}

export const resendDelivery = async (
  ctx: AppContext,
  user: User,
  ids: { readonly webhook_id: string; readonly delivery_id: string },
): Promise<WebhookDelivery> => {
  await load(ctx, user, ids.webhook_id, 'resend')
  const row = await ctx.store.write(resendCommand, { webhook_id: ids.webhook_id, id: ids.delivery_id })
  return printDelivery(row, { enabled: true })
}
