import { z } from 'zod'
import { Gold } from './gold.ts'
import { Record } from './records.ts'
import { Response } from './responses.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, printedDatetime, printedUuid } from './wire/scalars.ts'

const change = {
  id: printedUuid(),
  action: z.enum(['update', 'delete']),
  at: printedDatetime(),
  /** Who made the change. Null if that user is unknown. */
  by: printedUuid().nullable(),
  /**
   * The number of the schema version that renamed, merged or split labels, if this schema version caused the change. Otherwise
   * omitted.
   */
  schema_version: z.int().exactOptional(),
}

/** One change to a record or to one of its answers, with the value that it replaced. */
export const HistoryChange = z.discriminatedUnion('subject', [
  z.strictObject({ ...change, subject: z.literal('response'), before: Response }),
  z.strictObject({
    ...change,
    subject: z.literal('record'),
    before: Record.pick({ external_id: true, fields: true, metadata: true, updated_at: true }),
  }),
  /** The final answers that a review stored. Only people who see all answers see these changes. */
  z.strictObject({ ...change, subject: z.literal('gold'), before: Gold }),
])
export type HistoryChange = z.infer<typeof HistoryChange>

export const History = z.strictObject({
  /** Newest first. */
  items: z.array(HistoryChange),
  total: z.int(),
  /** The current answers in creation order. */
  current: z.array(Response),
  /** The users named on this page who still exist. */
  users: z.array(z.strictObject({ id: printedUuid(), username: z.string() })),
})
export type History = z.infer<typeof History>

export const getHistory = defineEndpoint({
  id: 'history.get',
  method: 'GET',
  path: '/records/:record_id/history',
  query: z.object({ offset: int({ ge: 0 }).default(0), limit: int({ ge: 1, le: 50 }).default(20) }),
  result: History,
  errors: [403, 404],
  addition: true,
  summary: 'List the changes to a record and its answers, with the previous values',
})

export const RestoreBody = z.object({ base_version: int({ ge: 0 }).nullish() })
export type RestoreBody = z.infer<typeof RestoreBody>

export const restoreChange = defineEndpoint({
  id: 'history.restore',
  method: 'POST',
  path: '/records/:record_id/history/:change_id/restore',
  body: RestoreBody,
  result: z.strictObject({ response: Response.nullable(), record: Record.nullable(), gold: Gold.nullable() }),
  errors: [403, 404, 409],
  addition: true,
  summary: 'Restore a record or an answer to its state before a change',
})

export const historyEndpoints = [getHistory, restoreChange] as const
