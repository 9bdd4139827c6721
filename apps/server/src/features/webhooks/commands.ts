import type { WebhookUpdate } from '@postil/contract/webhooks.ts'
import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { maxWebhooks } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { selectWebhooks, type WebhookRow } from './rows.ts'

type NewWebhook = Pick<WebhookRow, 'url' | 'secret_sealed' | 'events' | 'description'>

/** @throws Problem unprocessable if there are already ten webhooks */
export const createWebhook = command('webhooks.create', async (db, webhook: NewWebhook): Promise<WebhookRow> => {
  // Locks the counter's row, so that concurrent creations are counted one at a time.
  await db.sql
    .updateTable('counters')
    .set((eb) => ({ n: eb('n', '+', 1) }))
    .where('name', '=', 'webhooks')
    .execute()
  const existing = await db.sql.selectFrom('webhooks').select('id').execute()
  if (existing.length >= maxWebhooks)
    throw unprocessable(message('tooManyWebhooks', { found: existing.length, limit: maxWebhooks }))
  const at = now()
  const row = { ...webhook, id: newId(), enabled: true, inserted_at: at, updated_at: at }
  await db.sql
    .insertInto('webhooks')
    .values({ ...row, events: json(row.events) })
    .execute()
  return row
})

/** @throws Problem not_found */
const lockWebhook = async (db: Db, id: string): Promise<WebhookRow> => {
  const row = await db.dialect.forUpdate(selectWebhooks(db).where('id', '=', id)).executeTakeFirst()
  if (row === undefined) throw notFound('Webhook', id)
  return row
}

/** Changes only the values that differ from the stored ones. @throws Problem not_found */
export const updateWebhook = command(
  'webhooks.update',
  async (db, { id, change }: { id: string; change: WebhookUpdate }): Promise<WebhookRow> => {
    const before = await lockWebhook(db, id)
    const after = { ...before, ...change }
    if (json(after) === json(before)) return before
    const updated_at = now()
    const { url, events, enabled, description } = after
    await db.sql
      .updateTable('webhooks')
      .set({ url, events: json(events), enabled, description, updated_at })
      .where('id', '=', id)
      .execute()
    return { ...before, url, events, enabled, description, updated_at }
  },
)

/** @throws Problem not_found */
export const changeSecret = command(
  'webhooks.change-secret',
  async (db, { id, secret_sealed }: { id: string; secret_sealed: string }): Promise<WebhookRow> => {
    const before = await lockWebhook(db, id)
    const updated_at = now()
    await db.sql.updateTable('webhooks').set({ secret_sealed, updated_at }).where('id', '=', id).execute()
    return { ...before, secret_sealed, updated_at }
  },
)

/** Deletes a webhook. The delivery loop deletes its deliveries. @throws Problem not_found */
export const deleteWebhook = command('webhooks.delete', async (db, { id }: { id: string }): Promise<WebhookRow> => {
  const row = await lockWebhook(db, id)
  await db.sql.deleteFrom('webhooks').where('id', '=', id).execute()
  return row
})
