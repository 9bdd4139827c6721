import { z } from 'zod'
import { pageQuery, Record } from './records.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { Fault, notString, scalar } from './wire/scalar.ts'
import { float, literals, printedUuid, text, textOrNumber, uuid } from './wire/scalars.ts'
import { tagged } from './wire/tagged.ts'

/** A name that is only looked up. An invalid name is not refused but treated as not found. */
const wanted = text({ keep: false })

export const RecordScope = z.object({
  entity: z.literal('record'),
  /**
   * `assigned_to`: the IDs of the people to whom the record is assigned, or `none`. `review`: `none`, `started`, `final` or
   * `stale`. `final_answer`: values of the final answers to `question`. `comments`: `open`, for records with open threads.
   */
  property: literals(
    'id',
    'external_id',
    'inserted_at',
    'updated_at',
    'status',
    'agreement',
    'assigned_to',
    'review',
    'final_answer',
    'comments',
  ),
  /** Only for the properties `agreement` and `final_answer`. */
  question: wanted.nullish(),
})
export const ResponseScope = z.object({
  entity: z.literal('response'),
  question: wanted.nullish(),
  property: literals('status', 'updated_at').nullish(),
  /** Limits the scope to one user's answers. */
  user_id: uuid().nullish(),
  /** Limits the scope to answers with this status. */
  answer_status: z.enum(['submitted', 'draft', 'discarded']).nullish(),
  /** If set, the submitted answers to a question are compared with each other or with its suggestion. */
  compared_with: z.enum(['answers', 'suggestion']).nullish(),
  /** If answers are compared with each other, limits the comparison to the answers of these users. */
  user_ids: z.array(uuid()).min(1).max(100).nullish(),
  /**
   * Limits a comparison with suggestions to this agent's suggestions. An empty string stands for suggestions without an agent.
   */
  agent: text({ keep: false }).nullish(),
})
export const SuggestionScope = z.object({
  entity: z.literal('suggestion'),
  question: wanted,
  property: literals('value', 'score', 'agent', 'type')
    .nullish()
    .transform((property) => property ?? 'value'),
})
export const MetadataScope = z.object({ entity: z.literal('metadata'), metadata_property: wanted })
/** What a filter or a sort applies to. */
export const Scope = tagged('entity', [RecordScope, ResponseScope, SuggestionScope, MetadataScope])
export type Scope = z.infer<typeof Scope>
/** The input type of a scope. */
export type ScopeInput = z.input<typeof Scope>

/** A number or a string. The scope determines how a string is parsed, for example as a time for `inserted_at`. */
const bound = scalar<number | string>({ type: ['number', 'string'] }, (value) =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    ? value
    : new Fault('float_type', 'Input should be a valid number or string'),
).nullish()

/** A value to match. Numbers are not converted to text here, because a large number may have been rounded. */
const term = scalar<string | number>({ type: ['string', 'number'] }, (value) =>
  typeof value === 'string' || typeof value === 'number' ? value : notString(),
)

const refuse = (ctx: z.core.$RefinementCtx<unknown>, message: string) =>
  ctx.addIssue({ code: 'custom', message: `Value error, ${message}`, params: { type: 'value_error' } })

export const areBoundsReversed = "'ge' must be lower or equal than 'le'"

const isUnset = (value: unknown) => value === null || value === undefined

export const TermsFilter = z.object({
  type: z.literal('terms'),
  scope: Scope,
  values: z.array(term).min(1).max(250),
})
export type TermsFilter = z.infer<typeof TermsFilter>

export const RangeFilter = z
  .object({ type: z.literal('range'), scope: Scope, ge: bound, le: bound })
  .superRefine(({ ge, le }, ctx) => {
    if (isUnset(ge) && isUnset(le)) return refuse(ctx, "At least one of 'ge' or 'le' must be provided")
    if (isUnset(ge) || isUnset(le)) return
    if (typeof ge !== typeof le) return refuse(ctx, "'ge' and 'le' must both be numbers or both be strings")
    if (typeof ge === 'number' && typeof le === 'number' && ge > le) refuse(ctx, areBoundsReversed)
  })
export type RangeFilter = z.infer<typeof RangeFilter>

export const Filter = tagged('type', [TermsFilter, RangeFilter])
export type Filter = z.infer<typeof Filter>

export const TextQuery = z.object({ q: textOrNumber({ keep: false }), field: wanted.nullish() })
export type TextQuery = z.infer<typeof TextQuery>

export const VectorQuery = z
  .object({
    name: wanted,
    record_id: uuid().nullish(),
    value: z.array(float()).nullish(),
    order: z.enum(['most_similar', 'least_similar']).default('most_similar'),
  })
  .superRefine(({ record_id, value }, ctx) => {
    const hasValue = value !== undefined && value !== null && value.length > 0
    if (isUnset(record_id) === hasValue) return
    refuse(ctx, "Either 'record_id' or 'value' must be provided, not both")
  })
export type VectorQuery = z.infer<typeof VectorQuery>

export const Order = z.object({ scope: Scope, order: z.enum(['asc', 'desc']) })
export type Order = z.infer<typeof Order>

export const SearchBody = z.object({
  query: z.object({ text: TextQuery.nullish(), vector: VectorQuery.nullish() }).nullish(),
  filters: z.object({ and: z.array(Filter).min(1).max(50).nullish() }).nullish(),
  sort: z.array(Order).min(1).max(10).nullish(),
})
export type SearchBody = z.infer<typeof SearchBody>
export type SearchBodyInput = z.input<typeof SearchBody>

/** A search as JSON in a query parameter. */
export const searchText = z.string().transform((value, ctx): SearchBody => {
  let json: unknown
  try {
    json = JSON.parse(value)
  } catch {
    ctx.addIssue({ code: 'custom', message: 'Value error, not valid JSON', params: { type: 'value_error' } })
    return z.NEVER
  }
  const parsed = SearchBody.safeParse(json)
  if (parsed.success) return parsed.data
  for (const { message, path } of parsed.error.issues) {
    const at = path.length > 0 ? ` (at ${path.join('.')})` : ''
    ctx.addIssue({ code: 'custom', message: `Value error, ${message}${at}`, params: { type: 'value_error' } })
  }
  return z.NEVER
})

export const SearchResult = z.strictObject({
  items: z.array(
    z.strictObject({
      record: Record,
      query_score: z.number().nullable(),
      /** The record's number in the dataset. Missing only in results that the web app finds on the device. */
      number: z.int().exactOptional(),
    }),
  ),
  total: z.int(),
})
export type SearchResult = z.infer<typeof SearchResult>

export const SuggestionOptions = z.strictObject({
  items: z.array(
    z.strictObject({ question: z.strictObject({ id: printedUuid(), name: z.string() }), agents: z.array(z.string()) }),
  ),
})
export type SuggestionOptions = z.infer<typeof SuggestionOptions>

export const searchRecords = defineEndpoint({
  id: 'search.records',
  method: 'POST',
  path: '/datasets/:dataset_id/records/search',
  query: z.object(pageQuery),
  body: SearchBody,
  result: SearchResult,
  errors: [403, 404],
  summary: "Search records; response filters apply to everyone's responses",
})
export const searchMyRecords = defineEndpoint({
  id: 'search.my_records',
  method: 'POST',
  path: '/me/datasets/:dataset_id/records/search',
  query: z.object(pageQuery),
  body: SearchBody,
  result: SearchResult,
  errors: [403, 404],
  summary: "Search records; response filters apply to the caller's responses",
})
export const listSuggestionOptions = defineEndpoint({
  id: 'search.suggestion_options',
  method: 'GET',
  path: '/datasets/:dataset_id/records/search/suggestions/options',
  result: SuggestionOptions,
  errors: [403, 404],
  summary: 'List the agents of suggestions by question',
})

export const searchEndpoints = [searchRecords, searchMyRecords, listSuggestionOptions] as const
