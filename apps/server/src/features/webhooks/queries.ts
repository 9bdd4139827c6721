import type { DeliveryStatus } from '@postil/contract/webhooks.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { someEventDue } from '#platform/jobs/claim.ts'
import type { Micros } from '#platform/time.ts'
import { type DeliveryRow, deliveryColumns, selectWebhooks, stateOf, type WebhookRow } from './rows.ts'

export const listWebhooks = query(
  'webhooks.list',
  (db): Promise<WebhookRow[]> => selectWebhooks(db).orderBy('inserted_at').orderBy('id').execute(),
  { single: true },
)

export const getWebhook = query(
  'webhooks.get',
  async (db, { id }: { readonly id: string }): Promise<WebhookRow | null> =>
    (await selectWebhooks(db).where('id', '=', id).executeTakeFirst()) ?? null,
  { single: true },
)

const SHOWN = 1000

/** Lists a webhook's latest deliveries, newest first. */
export const listDeliveries = query(
  'webhooks.deliveries',
  (db, { webhook_id, status }: { webhook_id: string; status: DeliveryStatus | undefined }): Promise<DeliveryRow[]> => {
    const all = db.sql.selectFrom('outbox').select(deliveryColumns).where('webhook_id', '=', webhook_id)
    const some = status === undefined ? all : all.where('state', '=', stateOf(status))
    return some.orderBy('no', 'desc').limit(SHOWN).execute()
  },
  { single: true },
)

/** Returns the enabled webhooks that have something to send now. */
export const webhooksDue = query('webhooks.due', async (db): Promise<readonly string[]> => {
  const enabled = await db.sql.selectFrom('webhooks').select('id').where('enabled', '=', true).execute()
  const due = await pipeline(enabled.map(({ id }) => someEventDue(db, id)))
  return enabled.flatMap(({ id }, i) => (due[i] === true ? [id] : []))
})

export type Message = {
  readonly webhook_id: string
  readonly url: string
  readonly secret_sealed: string
  readonly enabled: boolean
  readonly event: string
  readonly at: Micros
  /** JSON. */
  readonly data: string
  readonly attempts: number
}

/** Returns a message with the webhook's current settings; null if the webhook was deleted. */
export const loadMessage = query(
  'webhooks.message',
  async (db, { id }: { readonly id: string }): Promise<Message | null> => {
    const row = await db.sql
      .selectFrom('outbox')
      .innerJoin('webhooks', 'webhooks.id', 'outbox.webhook_id')
      .select(['webhooks.id as webhook_id', 'webhooks.url', 'webhooks.secret_sealed', 'webhooks.enabled'])
      // Selecting a column under an alias returns the stored text unparsed.
      .select(['outbox.event', 'outbox.at', 'outbox.attempts', 'outbox.payload as data'])
      .where('outbox.id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : { ...row, data: row.data as unknown as string }
  },
  { single: true },
)

/**
 * A webhook's rows that can be deleted. `up_to`: the `no` up to which finished deliveries are deleted; null for a deleted
 * webhook, whose rows can all be deleted.
 */
export type Surplus = { readonly webhook_id: string; readonly up_to: number | null }

/** Returns each webhook's finished deliveries that are older than its last `maxLogged`. */
export const logSurplus = query(
  'webhooks.surplus',
  async (db, { maxLogged }: { readonly maxLogged: number }): Promise<Surplus[]> => {
    const webhooks = new Set((await db.sql.selectFrom('webhooks').select('id').execute()).map(({ id }) => id))
    const found: Surplus[] = []
    let after: string | null = null
    for (;;) {
      // Skips through the index from one webhook to the next, because the outbox may be long.
      const all = db.sql.selectFrom('outbox').select('webhook_id').orderBy('webhook_id').limit(1)
      const next: { webhook_id: string } | undefined = await (after === null
        ? all
        : all.where('webhook_id', '>', after)
      ).executeTakeFirst()
      if (next === undefined) return found
      after = next.webhook_id
      if (!webhooks.has(after)) found.push({ webhook_id: after, up_to: null })
      const last = await db.sql
        .selectFrom('outbox')
        .select('no')
        .where('webhook_id', '=', after)
        .where('state', 'in', ['delivered', 'given_up'])
        .orderBy('no', 'desc')
        .offset(maxLogged)
        .limit(1)
        .executeTakeFirst()
      if (webhooks.has(after) && last !== undefined) found.push({ webhook_id: after, up_to: last.no })
    }
  },
)
