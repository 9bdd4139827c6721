import { z } from 'zod'
import { AnswerValues, BulkAnswerValues } from './answer-value.ts'
import { Author } from './gold.ts'
import { Shown } from './shown.ts'
import { SuggestionOutcomes } from './suggestion-outcomes.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxActiveMs, maxBulkResponses } from './wire/limits.ts'
import { int, printedDatetime, printedUuid, uuid } from './wire/scalars.ts'
import { tagged } from './wire/tagged.ts'

export const ResponseStatus = z.enum(['draft', 'submitted', 'discarded'])
export type ResponseStatus = z.infer<typeof ResponseStatus>

/** How an answer was returned to its author: by a reviewer, or because a label was split. */
export const Returned = z.strictObject({
  /**
   * Who returned the answer: the reviewer, or the user who split the label. The username is the one at that time. Null if the
   * answer already contained a split label when it arrived.
   */
  by: Author.nullable(),
  at: printedDatetime(),
  comment: z.string(),
  /** The labels of the answer that were split, so that the author must choose again. */
  split: z.array(z.strictObject({ question: z.string(), label: z.string(), into: z.array(z.string()) })).exactOptional(),
})
export type Returned = z.infer<typeof Returned>

export const Response = z.strictObject({
  id: printedUuid(),
  values: AnswerValues,
  status: ResponseStatus,
  record_id: printedUuid(),
  user_id: printedUuid(),
  /** Increases with each change to the answer. Idempotent requests refer to it as `base_version`. */
  version: z.int(),
  /** How the values relate to the suggestions that were shown. Null if unknown. */
  suggestion_outcomes: SuggestionOutcomes.nullable(),
  /**
   * The compared fields in the order in which the author saw them, keyed by the name of the comparison question. Omitted if there
   * are no such questions, or if the order is unknown.
   */
  shown: Shown.exactOptional(),
  /** Set while a returned answer is a draft. Null for all other answers. */
  returned: Returned.nullable(),
  /**
   * Present if this entry contains the record's final answers instead of a person's answer. The review settings specify the user
   * under whose name final answers are published. This user is the user of the entry.
   */
  gold: z.strictObject({ stale: z.boolean() }).exactOptional(),
  /**
   * The version of the labels and guidelines under which the answer was stored. Only present if the answer is read as part of a
   * record. Omitted if there was no version yet.
   */
  schema_version: z.int().exactOptional(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Response = z.infer<typeof Response>

const optionalValues = AnswerValues.nullish()
/** The author's active time since the last request. The server adds it to the active time of the answer. */
const activeTime = { active_ms: int({ ge: 0, le: maxActiveMs }).nullish() }

/**
 * If a request omits these keys, the stored keys are kept as long as the answer's values are unchanged. If the values change, the
 * omitted keys become unknown.
 */
const outcomes = { suggestion_outcomes: SuggestionOutcomes.nullish(), shown: Shown.nullish() }

/** The forms of an answer, by status. Each form also has the keys of `common`. Only submitted answers require values. */
const byStatus = <S extends z.ZodRawShape>(common: S, values = AnswerValues) =>
  tagged('status', [
    z.object({ ...common, ...outcomes, ...activeTime, status: z.literal('draft'), values: values.nullish() }),
    z.object({ ...common, ...outcomes, ...activeTime, status: z.literal('submitted'), values }),
    z.object({ ...common, ...outcomes, ...activeTime, status: z.literal('discarded'), values: values.nullish() }),
  ])

export const ResponseCreate = z.object({ ...outcomes, ...activeTime, status: ResponseStatus, values: optionalValues })
export type ResponseCreate = z.infer<typeof ResponseCreate>
export const ResponseUpdate = byStatus({})
export type ResponseUpdate = z.infer<typeof ResponseUpdate>
export const BulkResponseItem = byStatus({ record_id: uuid() }, BulkAnswerValues)
export type BulkResponseItem = z.infer<typeof BulkResponseItem>
/**
 * The author, for clients that store answers and send them later. The server refuses the answer if the caller is another user.
 */
const author = { user_id: uuid().nullish() }
export const MyResponse = byStatus({ ...author, mutation_id: uuid(), base_version: int({ ge: 0 }).nullable() })
export type MyResponse = z.infer<typeof MyResponse>

/** Answers that are sent as part of a record. Unlike in other requests, drafts must have values. */
export const RecordResponse = tagged('status', [
  z.object({ ...outcomes, user_id: uuid(), status: z.literal('draft'), values: AnswerValues }),
  z.object({ ...outcomes, user_id: uuid(), status: z.literal('submitted'), values: AnswerValues }),
  z.object({ ...outcomes, user_id: uuid(), status: z.literal('discarded'), values: optionalValues }),
])
export type RecordResponse = z.infer<typeof RecordResponse>

export const BulkResponseResult = z.union([
  z.strictObject({ item: Response, error: z.null() }),
  z.strictObject({ item: z.null(), error: z.strictObject({ detail: z.string() }) }),
])
export type BulkResponseResult = z.infer<typeof BulkResponseResult>

export const createResponse = defineEndpoint({
  id: 'responses.create',
  method: 'POST',
  path: '/records/:record_id/responses',
  body: ResponseCreate,
  status: 201,
  result: Response,
  errors: [403, 404, 409],
  summary: 'Answer a record for the first time',
})
export const updateResponse = defineEndpoint({
  id: 'responses.update',
  method: 'PUT',
  path: '/responses/:response_id',
  body: ResponseUpdate,
  result: Response,
  errors: [403, 404],
  summary: 'Replace the status and values of an answer',
})
export const deleteResponse = defineEndpoint({
  id: 'responses.delete',
  method: 'DELETE',
  path: '/responses/:response_id',
  result: Response,
  errors: [403, 404],
  summary: 'Delete an answer',
})
export const bulkResponses = defineEndpoint({
  id: 'responses.bulk',
  method: 'POST',
  path: '/me/responses/bulk',
  body: z.object({ items: z.array(BulkResponseItem).min(1).max(maxBulkResponses) }),
  result: z.strictObject({ items: z.array(BulkResponseResult) }),
  summary: "Create or replace several of the caller's answers; each succeeds or fails on its own",
})
export const putMyResponse = defineEndpoint({
  id: 'responses.put_mine',
  method: 'PUT',
  path: '/records/:record_id/responses/mine',
  body: MyResponse,
  successes: [200, 201],
  result: Response,
  errors: [403, 404, 409],
  addition: true,
  summary: "Create or replace the caller's answer; safe to repeat",
})
const MyRemoval = z.object({ ...author, ...activeTime, mutation_id: uuid(), base_version: int({ ge: 0 }).nullish() })
export type MyRemoval = z.infer<typeof MyRemoval>
export const clearMyResponse = defineEndpoint({
  id: 'responses.clear_mine',
  method: 'DELETE',
  path: '/records/:record_id/responses/mine',
  query: MyRemoval,
  result: z.strictObject({ response: Response.nullable() }),
  errors: [403, 404, 409],
  addition: true,
  summary: "Delete the caller's answer; safe to repeat",
})

export const responseEndpoints = [
  createResponse,
  updateResponse,
  deleteResponse,
  bulkResponses,
  putMyResponse,
  clearMyResponse,
] as const
