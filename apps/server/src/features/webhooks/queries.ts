import type { DeliveryStatus } from '@postil/contract/webhooks.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { type DueEvent, dueEvents, someEventDue } from '#platform/jobs/claim.ts'
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

/** A webhook, and its events that can be sent now. */
type DueDeliveries = { readonly webhook_id: string; readonly events: readonly DueEvent[] }

/** Returns the events that can be sent to each enabled webhook now, at most `limit` events for each webhook. */
export const dueDeliveries = query(
  'webhooks.due',
  async (db, { limit }: { readonly limit: number }): Promise<readonly DueDeliveries[]> => {
    const enabled = await db.sql.selectFrom('webhooks').select('id').where('enabled', '=', true).execute()
    const ids = enabled.map(({ id }) => id)
    if (!(await someEventDue(db, ids))) return []
    const due = await pipeline(ids.map((id) => dueEvents(db, id, limit)))
    return ids.map((webhook_id, i) => ({ webhook_id, events: due[i] ?? [] }))
  },
)

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

type MessageOf = DueEvent & { readonly webhook_id: string }
/** Returns a message with the webhook's current settings; null if the webhook was deleted. */
export const loadMessage = query(
  'webhooks.message',
  async (db, { webhook_id, dataset_no, id }: MessageOf): Promise<Message | null> => {
    const [webhook, row] = await pipeline([
      db.sql.selectFrom('webhooks').select(['url', 'secret_sealed', 'enabled']).where('id', '=', webhook_id).executeTakeFirst(),
      db.sql
        .selectFrom('outbox')
        // Selecting a column under an alias returns the stored text unparsed.
        .select(['event', 'at', 'attempts', 'payload as data'])
        .where('dataset_no', '=', dataset_no)
        .where('id', '=', id)
        .executeTakeFirst(),
    ])
    if (webhook === undefined || row === undefined) return null
    return { webhook_id, ...webhook, ...row, data: row.data as unknown as string }
  },
)

/**
 * A webhook's rows that can be deleted. If `up_to` is a number, finished deliveries whose `no` is at most `up_to` can be deleted.
 * If `up_to` is null, the webhook was deleted, and all its rows can be deleted.
 */
type Surplus = { readonly webhook_id: string; readonly up_to: number | null }

/**
 * Returns what can be deleted: each webhook's finished deliveries except the latest `maxLogged`, and all deliveries of deleted
 * webhooks.
 */
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

const ROWS_PER_BATCH = 500

/** Returns the oldest surplus rows, grouped by dataset. The result is empty if there are none. */
export const surplusRows = query(
  'webhooks.surplus-rows',
  async (db, { webhook_id, up_to }: Surplus): Promise<readonly { readonly dataset_no: number; readonly ids: string[] }[]> => {
    const all = db.sql.selectFrom('outbox').select(['dataset_no', 'id']).where('webhook_id', '=', webhook_id)
    const done = up_to === null ? all : all.where('state', 'in', ['delivered', 'given_up']).where('no', '<=', up_to)
    const rows = await done.orderBy('no').limit(ROWS_PER_BATCH).execute()
    return [...Map.groupBy(rows, ({ dataset_no }) => dataset_no)].map(([dataset_no, some]) => ({
      dataset_no,
      ids: some.map(({ id }) => id),
    }))
  },
  { single: true },
)
