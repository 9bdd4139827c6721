import { z } from 'zod'
import { defineEndpoint } from './define-endpoint.ts'
import { maxExcludedRecords, maxQueueRecords } from './limits.ts'
import { idsQuery } from './query-lists.ts'
import { Record } from './records.ts'
import { bool, int, printedDatetime, printedUuid, uuid } from './scalars.ts'

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
})
export type QueueResult = z.infer<typeof QueueResult>

export const LeasesBody = z.object({ record_ids: z.array(uuid()).min(1).max(maxQueueRecords) })
export type LeasesBody = z.infer<typeof LeasesBody>

export const LeasesResult = z.strictObject({
  /** In the order of the request; null: the lease is lost. */
  items: z.array(z.strictObject({ record_id: printedUuid(), lease: Lease.nullable() })),
})
export type LeasesResult = z.infer<typeof LeasesResult>

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

export const queueEndpoints = [takeFromQueue, renewLeases, giveBackLeases] as const
