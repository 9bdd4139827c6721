import { z } from 'zod'
import { Record } from './records.ts'
import { MetadataScope, RecordScope, ResponseScope, SuggestionScope } from './search.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxExcludedRecords, maxQueueRecords } from './wire/limits.ts'
import { idsQuery } from './wire/query-lists.ts'
import { bool, int, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'
import { tagged } from './wire/tagged.ts'

/** A lease. It reserves a record for one user until this time. */
export const Lease = z.strictObject({ until: printedDatetime() })
export type Lease = z.infer<typeof Lease>

/** The longest delay of a release, in seconds. */
const maxReleaseDelay = 30

/**
 * What the caller does with the records. `work`: a lease lasts for the server's lease time. `view`: the records are on a screen
 * and nobody has edited them. For `view`, annotators get short leases, and owners and admins get none.
 */
const QueuePurpose = z.enum(['work', 'view'])
export type QueuePurpose = z.infer<typeof QueuePurpose>

export const QueueBody = z.object({
  limit: int({ ge: 1, le: maxQueueRecords }).default(10),
  /** Records to leave out. */
  exclude: z.array(uuid()).max(maxExcludedRecords).nullish(),
  /** Whether to assign records that the caller has a draft for. */
  drafts: bool().default(true),
  purpose: QueuePurpose.default('work'),
})
export type QueueBody = z.infer<typeof QueueBody>

export const QueueResult = z.strictObject({
  /**
   * Each record includes the caller's answer and the suggestions. The lease is null if an owner or admin only views the record.
   */
  items: z.array(z.strictObject({ record: Record, lease: Lease.nullable() })),
  /** The number of records that can be assigned to the caller, including `items`. */
  left: z.int(),
  /**
   * The records in `exclude` that `left` doesn't count. They are completed, answered by the caller, assigned to others or
   * missing.
   */
  closed: z.array(printedUuid()),
  /**
   * The maximum number of records that one person can submit, and how many the caller has submitted. Null if there is no
   * maximum.
   */
  cap: z.strictObject({ most: z.int(), submitted: z.int() }).nullable(),
  /** Whether the caller gets no more records, because too many answers to test items were wrong. */
  stopped: z.boolean(),
})
export type QueueResult = z.infer<typeof QueueResult>

export const LeasesBody = z.object({
  record_ids: z.array(uuid()).min(1).max(maxQueueRecords),
  purpose: QueuePurpose.default('work'),
  /**
   * Whether to lease records on which the caller has no lease, in addition to renewing the caller's leases. Has no effect in
   * datasets that assign records to named users.
   */
  acquire: bool().default(false),
})
export type LeasesBody = z.infer<typeof LeasesBody>

export const LeasesResult = z.strictObject({
  /** In request order. `lease` is null if the caller no longer has a lease on the record. */
  items: z.array(z.strictObject({ record_id: printedUuid(), lease: Lease.nullable() })),
})
export type LeasesResult = z.infer<typeof LeasesResult>

/** A name to look up. An invalid name isn't refused. It is treated as a name that doesn't exist. */
const wanted = text({ keep: false })

/** An order in which each record is as different as possible from the records before it, judged by their vectors. */
const SpreadScope = z.object({ entity: z.literal('spread'), vector: wanted })
const AnyOrder = z.object({
  scope: tagged('entity', [RecordScope, ResponseScope, SuggestionScope, MetadataScope, SpreadScope]),
  order: z.enum(['asc', 'desc']),
})
type AnyOrder = z.infer<typeof AnyOrder>

/**
 * Whether records can be assigned in this order. An order that changes whenever someone answers would make annotators jump
 * between records. Agreement changes only for records that already have two answers, so it is allowed.
 */
const isSteady = ({ scope }: AnyOrder): boolean =>
  scope.entity !== 'response' &&
  !(scope.entity === 'record' && ['status', 'updated_at', 'assigned_to', 'review', 'comments'].includes(scope.property))

const QueueOrder = AnyOrder.superRefine((order, ctx) => {
  if (order.scope.entity === 'spread' && order.order === 'desc')
    ctx.addIssue({ code: 'custom', message: "Value error, a spread must have the order 'asc'", params: { type: 'value_error' } })
  if (isSteady(order)) return
  const message = 'Value error, a queue cannot be ordered by answers, assignments, status or the time of the last change'
  ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
})

/**
 * If a queue is ordered by a spread, the spread must be the only sort key. A second key would have no effect, because a spread
 * has no ties.
 */
const QueueOrders = z
  .array(QueueOrder)
  .min(1)
  .max(10)
  .superRefine((orders, ctx) => {
    if (orders.length === 1 || orders.every(({ scope }) => scope.entity !== 'spread')) return
    const message = 'Value error, a spread cannot be combined with other orders'
    ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
  })

export const QueueSettings = z.object({
  /** The order of assignment. If null, `shuffled` determines the order. Partly answered records come first. */
  order: QueueOrders.nullish(),
  /**
   * Whether each person gets the records in an order of their own. If false, everyone gets them in insertion order. Has no effect
   * if there is an `order`.
   */
  shuffled: bool().nullish(),
  /** The maximum for one person's submitted answers and leases together. */
  max_per_person: int({ ge: 1, le: 1_000_000_000 }).nullish(),
  /**
   * The name of a terms property. A record is assigned only to users whose usernames are among the record's values of this
   * property.
   */
  assigned_by: wanted.nullish(),
  /**
   * Whether records with assignees can also be assigned to other people. These people get such records only after all other
   * records.
   */
  others_answer_assigned: bool().nullish(),
})
export type QueueSettings = z.infer<typeof QueueSettings>

const PrintedOrder = z.strictObject({
  scope: z.discriminatedUnion('entity', [
    z.strictObject({
      entity: z.literal('record'),
      property: z.enum(['id', 'external_id', 'inserted_at', 'agreement']),
      question: z.string().nullish(),
    }),
    z.strictObject({
      entity: z.literal('suggestion'),
      question: z.string(),
      property: z.enum(['value', 'score', 'agent', 'type']),
    }),
    z.strictObject({ entity: z.literal('metadata'), metadata_property: z.string() }),
    z.strictObject({ entity: z.literal('spread'), vector: z.string() }),
  ]),
  order: z.enum(['asc', 'desc']),
})
export type PrintedOrder = z.infer<typeof PrintedOrder>

export const PrintedQueueSettings = z.strictObject({
  /** For annotators, leaves out orders by metadata properties that are hidden from them. */
  order: z.array(PrintedOrder).nullable(),
  shuffled: z.boolean(),
  max_per_person: z.int().nullable(),
  /**
   * The metadata property whose values are usernames. Each record is assigned to the users that it names. Null if there is no
   * such property, or if it is hidden from the caller.
   */
  assigned_by: z.string().nullable(),
  /** Whether `assigned_by` is set. All callers see this, even if the name of the property is hidden from them. */
  assigned: z.boolean(),
  others_answer_assigned: z.boolean(),
})
export type PrintedQueueSettings = z.infer<typeof PrintedQueueSettings>

export const getQueueSettings = defineEndpoint({
  id: 'queue.settings',
  method: 'GET',
  path: '/datasets/:dataset_id/queue-settings',
  result: PrintedQueueSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Get the queue settings of a dataset',
})
export const setQueueSettings = defineEndpoint({
  id: 'queue.set_settings',
  method: 'PUT',
  path: '/datasets/:dataset_id/queue-settings',
  body: QueueSettings,
  result: PrintedQueueSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Replace the queue settings of a dataset; omitted settings become null, or false if they are boolean',
})

export const takeFromQueue = defineEndpoint({
  id: 'queue.take',
  method: 'POST',
  path: '/me/datasets/:dataset_id/queue',
  body: QueueBody,
  result: QueueResult,
  errors: [403, 404],
  addition: true,
  summary: 'Assign the next records to the caller, each with a lease; safe to repeat',
})
export const renewLeases = defineEndpoint({
  id: 'queue.renew',
  method: 'PUT',
  path: '/me/datasets/:dataset_id/queue/leases',
  body: LeasesBody,
  result: LeasesResult,
  errors: [403, 404],
  addition: true,
  summary: "Renew the caller's leases",
})
export const giveBackLeases = defineEndpoint({
  id: 'queue.give_back',
  method: 'DELETE',
  path: '/me/datasets/:dataset_id/queue/leases',
  query: z.object({
    ids: idsQuery().optional(),
    /** With `view`, the request releases no leases of records that the caller is working on, for example in another tab. */
    purpose: QueuePurpose.default('work'),
    /** Leases that end after this time aren't released, because another page of the caller has renewed them. */
    until: printedDatetime().optional(),
    /**
     * How long the leases last after this request, in seconds. A page sends a delay when it closes, because it may be reloaded
     * and then renew its leases.
     */
    delay: int({ ge: 0, le: maxReleaseDelay }).default(0),
  }),
  errors: [403, 404],
  addition: true,
  summary: "Release the caller's leases on the given records, or all of the caller's leases if no ids are given",
})

export const queueEndpoints = [getQueueSettings, setQueueSettings, takeFromQueue, renewLeases, giveBackLeases] as const
