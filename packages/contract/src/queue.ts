import { z } from 'zod'
import { Record } from './records.ts'
import { Order } from './search.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxExcludedRecords, maxQueueRecords } from './wire/limits.ts'
import { idsQuery } from './wire/query-lists.ts'
import { bool, int, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/** Until then the record's place is kept for who holds the lease. */
export const Lease = z.strictObject({ until: printedDatetime() })
export type Lease = z.infer<typeof Lease>

export const QueueBody = z.object({
  limit: int({ ge: 1, le: maxQueueRecords }).default(10),
  /** Records that the caller does not want now. */
  exclude: z.array(uuid()).max(maxExcludedRecords).nullish(),
  /** Whether records that the caller has a draft of are handed out too. */
  drafts: bool().default(true),
})
export type QueueBody = z.infer<typeof QueueBody>

export const QueueResult = z.strictObject({
  /** With the caller's answer and the suggestions. */
  items: z.array(z.strictObject({ record: Record, lease: Lease })),
  /** Records that can be handed to the caller, those of `items` among them. */
  left: z.int(),
  /** Those of `exclude` that `left` does not count: complete, answered by the caller, taken by others, or not there. */
  closed: z.array(printedUuid()),
  /** How many records one person submits answers to at most, and how many the caller has; null without such a cap. */
  cap: z.strictObject({ most: z.int(), submitted: z.int() }).nullable(),
})
export type QueueResult = z.infer<typeof QueueResult>

export const LeasesBody = z.object({ record_ids: z.array(uuid()).min(1).max(maxQueueRecords) })
export type LeasesBody = z.infer<typeof LeasesBody>

export const LeasesResult = z.strictObject({
  /** In the order of the request; null: the lease is lost. */
  items: z.array(z.strictObject({ record_id: printedUuid(), lease: Lease.nullable() })),
})
export type LeasesResult = z.infer<typeof LeasesResult>

/** What stays the same while a queue is worked off: an order by answers, or by what answers change, would move under its readers. */
const isSteady = ({ scope }: Order): boolean =>
  scope.entity !== 'response' && !(scope.entity === 'record' && (scope.property === 'status' || scope.property === 'updated_at'))

const QueueOrder = Order.superRefine((order, ctx) => {
  if (isSteady(order)) return
  const message = 'Value error, a queue cannot be ordered by answers, by the status or by the last change of records'
  ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
})

/** Names are only looked up. */
const wanted = text({ keep: false })

export const QueueSettings = z.object({
  /** Of records that nobody has answered yet; null: each person has an order of their own. */
  order: z.array(QueueOrder).min(1).max(10).nullish(),
  /** The most records that one person is handed to submit answers to. */
  max_per_person: int({ ge: 1, le: 1_000_000_000 }).nullish(),
  /** A terms property: records are handed to those only whose user names are among its values. */
  assigned_by: wanted.nullish(),
})
export type QueueSettings = z.infer<typeof QueueSettings>

const PrintedOrder = z.strictObject({
  scope: z.discriminatedUnion('entity', [
    z.strictObject({ entity: z.literal('record'), property: z.enum(['id', 'external_id', 'inserted_at']) }),
    z.strictObject({
      entity: z.literal('suggestion'),
      question: z.string(),
      property: z.enum(['value', 'score', 'agent', 'type']),
    }),
    z.strictObject({ entity: z.literal('metadata'), metadata_property: z.string() }),
  ]),
  order: z.enum(['asc', 'desc']),
})
export type PrintedOrder = z.infer<typeof PrintedOrder>

export const PrintedQueueSettings = z.strictObject({
  /** For annotators without what is ordered by metadata that they are not shown. */
  order: z.array(PrintedOrder).nullable(),
  max_per_person: z.int().nullable(),
  /** Null for annotators, too, who are not shown the property. */
  assigned_by: z.string().nullable(),
  /** Whether records are handed to those only who are named, whoever asks. */
  assigned: z.boolean(),
})
export type PrintedQueueSettings = z.infer<typeof PrintedQueueSettings>

export const getQueueSettings = defineEndpoint({
  id: 'queue.settings',
  method: 'GET',
  path: '/datasets/:dataset_id/queue-settings',
  result: PrintedQueueSettings,
  errors: [403, 404],
  addition: true,
  summary: 'How records of a dataset are handed out',
})
export const setQueueSettings = defineEndpoint({
  id: 'queue.set_settings',
  method: 'PUT',
  path: '/datasets/:dataset_id/queue-settings',
  body: QueueSettings,
  result: PrintedQueueSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Say how records of a dataset are handed out; what is left out is as if never said',
})

export const takeFromQueue = defineEndpoint({
  id: 'queue.take',
  method: 'POST',
  path: '/me/datasets/:dataset_id/queue',
  body: QueueBody,
  result: QueueResult,
  errors: [403, 404],
  addition: true,
  summary: 'Hand the next records to the caller, each for a while; safe to repeat',
})
export const renewLeases = defineEndpoint({
  id: 'queue.renew',
  method: 'PUT',
  path: '/me/datasets/:dataset_id/queue/leases',
  body: LeasesBody,
  result: LeasesResult,
  errors: [403, 404],
  addition: true,
  summary: 'Keep records that were handed to the caller for another while',
})
export const giveBackLeases = defineEndpoint({
  id: 'queue.give_back',
  method: 'DELETE',
  path: '/me/datasets/:dataset_id/queue/leases',
  query: z.object({ ids: idsQuery().optional() }),
  errors: [403, 404],
  addition: true,
  summary: 'Give back records that were handed to the caller, all of them without ids',
})

export const queueEndpoints = [getQueueSettings, setQueueSettings, takeFromQueue, renewLeases, giveBackLeases] as const
