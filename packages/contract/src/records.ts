import { z } from 'zod'
import { Comment } from './comments.ts'
import { fieldValues } from './field-values.ts'
import { Gold } from './gold.ts'
import { RecordResponse, Response } from './responses.ts'
import { Suggestion, SuggestionCreate } from './suggestions.ts'
import { TestAnswer } from './test-items.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { isJsonObject, type JsonObject, jsonFault } from './wire/json.ts'
import { defaultLimits, type Limits, maxBulkRecords, maxPageRecords } from './wire/limits.ts'
import { message } from './wire/message.ts'
import { patch } from './wire/patch.ts'
import { idsQuery, includeQuery } from './wire/query-lists.ts'
import { Fault, notDictionary, scalar, valueError } from './wire/scalar.ts'
import { int, jsonObject, printedDatetime, printedUuid, textOrNumber, toFloat, uuid } from './wire/scalars.ts'

export const RecordStatus = z.enum(['pending', 'completed'])
export type RecordStatus = z.infer<typeof RecordStatus>

/** Vectors, keyed by the name of their settings. */
export type Vectors = { readonly [name: string]: readonly number[] }

const vectorsJson = { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } }
const isNumbers = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'number')
// zod's record schema would drop a name like `__proto__`
const printedVectors = scalar<Vectors>(vectorsJson, (value) =>
  isJsonObject(value) && Object.values(value).every(isNumbers)
    ? (value as Vectors)
    : valueError('must be an object of vectors by name'),
)

// zod's record schema would drop a question name like `__proto__`
const printedAgreement = scalar<{ readonly [question: string]: number }>(
  { type: 'object', additionalProperties: { type: 'number' } },
  (value) =>
    isJsonObject(value) && Object.values(value).every((item) => typeof item === 'number')
      ? (value as { readonly [question: string]: number })
      : valueError('must be an object of numbers by question'),
)

export const Record = z.strictObject({
  id: printedUuid(),
  status: RecordStatus,
  fields: jsonObject(),
  metadata: scalar<JsonObject>({ type: 'object' }, (value) =>
    isJsonObject(value) ? value : valueError(message('mustBeObject')),
  ).nullable(),
  external_id: z.string().nullable(),
  responses: z.array(Response).exactOptional(),
  suggestions: z.array(Suggestion).exactOptional(),
  vectors: printedVectors.exactOptional(),
  /** How closely the submitted answers agree, from 0 to 1, keyed by question name. Only on request, and not for annotators. */
  agreement: printedAgreement.exactOptional(),
  /** The final answers. Null before the first review. Included only if requested, and only for people who can see all answers. */
  gold: Gold.nullable().exactOptional(),
  /** Only in downloads. */
  comments: z.array(Comment).exactOptional(),
  /** Only in downloads: the answers that people gave when the record was a test item. No count includes these answers. */
  tests: z.array(TestAnswer).exactOptional(),
  /** How many answers the record needs in addition to the dataset's minimum. Left out if it needs none. */
  extra_answers: z.int().exactOptional(),
  dataset_id: printedUuid(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Record = z.infer<typeof Record>

/**
 * Metadata as a client sends it. Top-level numbers are checked later, against the type of their property. For example, a float
 * property allows numbers that are larger than the safe integers.
 */
const metadata = scalar<JsonObject>({ type: 'object' }, (value) => {
  if (!isJsonObject(value)) return notDictionary()
  for (const [key, item] of Object.entries(value)) {
    const fault = jsonFault(key) ?? (typeof item === 'number' && Number.isFinite(item) ? null : jsonFault(item))
    if (fault !== null) return valueError(fault, [key])
  }
  return value
})

// Uses a loop, because a callback would allocate an object for each number.
const areNumbers = (items: readonly unknown[]): items is number[] => {
  for (const item of items) if (typeof item !== 'number' || !Number.isFinite(item)) return false
  return true
}

const toVector = (name: string, value: unknown): number[] | Fault => {
  if (!Array.isArray(value)) return new Fault('list_type', message('notList'), [name])
  // Almost all vectors contain only numbers and need no conversion.
  if (areNumbers(value)) return value
  const vector: number[] = []
  for (const [index, item] of value.entries()) {
    const number = toFloat(item)
    if (number instanceof Fault) return new Fault(number.type, number.reason, [name, index])
    vector.push(number)
  }
  return vector
}

const vectors = scalar<Vectors>(vectorsJson, (value) => {
  if (!isJsonObject(value)) return notDictionary()
  const entries: [string, number[]][] = []
  for (const [name, sent] of Object.entries(value)) {
    const vector = toVector(name, sent)
    if (vector instanceof Fault) return vector
    entries.push([name, vector])
  }
  return Object.fromEntries(entries)
})

const repeated = (values: readonly (string | null | undefined)[]): string | null => {
  const seen = new Set<string>()
  for (const value of values) {
    if (value === null || value === undefined) continue
    if (seen.has(value)) return value
    seen.add(value)
  }
  return null
}
// Uses `check`, because the context of `superRefine` outlives the check and would keep a copy of the whole input until garbage
// collection
const refuse = <T>({ issues, value }: z.core.ParsePayload<T>, message: string): void => {
  issues.push({ code: 'custom', input: value, message: `Value error, ${message}`, params: { type: 'value_error' } })
}

const responses = z.array(RecordResponse).check((list) => {
  const user = repeated(list.value.map((response) => response.user_id))
  if (user !== null) refuse(list, `Responses must be by different users, found two by ${user}`)
})

const common = {
  metadata: metadata.nullish(),
  external_id: textOrNumber().nullish(),
  responses: responses.nullish(),
  suggestions: z.array(SuggestionCreate).nullish(),
  vectors: vectors.nullish(),
}
export const RecordCreate = (limits: Limits) => z.object({ ...common, fields: fieldValues(limits) })
export type RecordCreate = z.output<ReturnType<typeof RecordCreate>>
export const RecordUpsert = (limits: Limits) =>
  z.object({ ...common, id: uuid().nullish(), fields: fieldValues(limits).nullish() })
export type RecordUpsert = z.output<ReturnType<typeof RecordUpsert>>
export const RecordUpdate = (limits: Limits) =>
  patch({ fields: fieldValues(limits), suggestions: z.array(SuggestionCreate) }, { metadata, vectors })
export type RecordUpdate = z.output<ReturnType<typeof RecordUpdate>>

const bulk = <T extends { readonly external_id?: string | null | undefined }, I>(item: z.ZodType<T, I>) =>
  z.object({
    items: z
      .array(item)
      .min(1)
      .max(maxBulkRecords)
      .check((list) => {
        const externalId = repeated(list.value.map((record) => record.external_id))
        if (externalId !== null) refuse(list, `External ids must be unique, found ${JSON.stringify(externalId)} twice`)
      }),
  })

export const pageQuery = {
  offset: int({ ge: 0 }).default(0),
  limit: int({ ge: 1, le: maxPageRecords }).default(50),
  include: includeQuery(),
}
const Records = z.strictObject({ items: z.array(Record) })

export const listRecords = defineEndpoint({
  id: 'records.list',
  method: 'GET',
  path: '/datasets/:dataset_id/records',
  query: z.object(pageQuery),
  result: z.strictObject({ items: z.array(Record), total: z.int() }),
  errors: [403, 404],
  summary: 'List records in insertion order, page by page',
})
/** Routes that accept fields take the limits as a parameter because the operator sets the limits of chat messages. */
export const createRecordsWith = (limits: Limits) =>
  defineEndpoint({
    id: 'records.bulk_create',
    method: 'POST',
    path: '/datasets/:dataset_id/records/bulk',
    body: bulk(RecordCreate(limits)),
    status: 201,
    result: Records,
    errors: [403, 404],
    summary: 'Create records, all or none',
  })
export const upsertRecordsWith = (limits: Limits) =>
  defineEndpoint({
    id: 'records.bulk_upsert',
    method: 'PUT',
    path: '/datasets/:dataset_id/records/bulk',
    body: bulk(RecordUpsert(limits)),
    result: Records,
    errors: [403, 404],
    summary: 'Create or update records by id or external id, all or none',
  })
export const updateRecordWith = (limits: Limits) =>
  defineEndpoint({
    id: 'records.update',
    method: 'PATCH',
    path: '/records/:record_id',
    body: RecordUpdate(limits),
    result: Record,
    errors: [403, 404],
    summary: 'Update a record',
  })
export const createRecords = createRecordsWith(defaultLimits)
export const upsertRecords = upsertRecordsWith(defaultLimits)
export const updateRecord = updateRecordWith(defaultLimits)

export const deleteRecords = defineEndpoint({
  id: 'records.delete_many',
  method: 'DELETE',
  path: '/datasets/:dataset_id/records',
  query: z.object({ ids: idsQuery() }),
  errors: [403, 404],
  summary: 'Delete records by id; unknown ids are skipped',
})
export const getRecord = defineEndpoint({
  id: 'records.get',
  method: 'GET',
  path: '/records/:record_id',
  result: Record,
  errors: [403, 404],
  summary: 'Get a record with responses, suggestions and vectors',
})
export const deleteRecord = defineEndpoint({
  id: 'records.delete',
  method: 'DELETE',
  path: '/records/:record_id',
  result: Record,
  errors: [403, 404],
  summary: 'Delete a record',
})

export const recordEndpoints = [
  listRecords,
  createRecords,
  upsertRecords,
  deleteRecords,
  getRecord,
  updateRecord,
  deleteRecord,
] as const
