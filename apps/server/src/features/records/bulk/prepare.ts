import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { type FieldKind, fieldKinds, fieldType } from '@postil/contract/field-types/index.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { RecordCreate, RecordUpdate, RecordUpsert, Vectors } from '@postil/contract/records.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import type { SuggestionCreate, SuggestionScore, SuggestionType } from '@postil/contract/suggestions.ts'
import type { JsonObject, JsonValue } from '@postil/contract/wire/json.ts'
import { serverFieldTypes } from '#field-types/registry.ts'
import { type Json, json } from '#platform/db/codecs.ts'
import type { OriginalRow, RowTimes } from '#platform/original-row.ts'
import type { TokenLists } from './packed-tokens.ts'

/* Records as they were sent, after all preparation that doesn't need the database. Their content is serialized in the form that
   will be stored, and their texts are tokenized. Pure, so that threads of the body pool can prepare large bodies. The field types
   are known only to the transaction that stores the records. A value is therefore tokenized for each field type that accepts it. */

/**
 * A record's field without its value. `kinds` are the field types that accept the value. `first` is the index of the first type's
 * tokens in the record's token lists.
 */
export type FieldShape = {
  readonly name: string
  readonly isNull: boolean
  readonly kinds: readonly FieldKind[]
  readonly first: number
}
export type PreparedFields = {
  readonly json: Json
  /** Most records of a bulk request share one shape. */
  readonly shape: readonly FieldShape[]
  /**
   * Lists of tokens: one for each field and each field type that accepts the field's value. A list is null or missing if it is
   * computed on demand.
   */
  readonly tokens: () => TokenLists
}
/** Both null if the metadata is cleared. */
export type PreparedMetadata = { readonly json: Json | null; readonly value: JsonObject | null }
export type PreparedSuggestion = {
  readonly question_id: string
  readonly value: AnswerValue
  readonly type: SuggestionType | null
  readonly agent: string | null
  readonly score: SuggestionScore | null
  readonly value_json: Json
  readonly score_json: Json | null
  /** Set if the record is copied from another server. */
  readonly original?: OriginalRow | undefined
}
/** `times`: when the answer was given and last changed outside this server. Requests can't set them. */
export type PreparedResponse = RecordResponse & { readonly times?: RowTimes | undefined }
export type PreparedVector = { readonly name: string; readonly numbers: Float64Array }
export type PreparedRecord = {
  /** Null if not sent. */
  readonly id: string | null
  readonly external_id: string | null
  /** Null if not sent, or sent as null. */
  readonly fields: PreparedFields | null
  /** Null if not sent. */
  readonly metadata: PreparedMetadata | null
  readonly responses: readonly PreparedResponse[]
  /** Null if not sent, or sent as null. */
  readonly suggestions: readonly PreparedSuggestion[] | null
  readonly vectors: readonly PreparedVector[]
}

/** Returns the tokens of a value in a field of this type. */
export const fieldTokens = (kind: FieldKind, value: JsonValue): readonly string[] => {
  const tokens: string[] = []
  serverFieldTypes[kind].appendTokens(tokens, value)
  return tokens
}

/**
 * A text of at most this length is tokenized for each field type that it fits, before its field's type is known. A longer text
 * that fits several types is tokenized later. Image URLs are shorter than this, but embedded images can take several megabytes.
 */
const LONG = 4096

const tokensOf = (value: JsonValue, kinds: readonly FieldKind[]): TokenLists => {
  const defer = kinds.length > 1 && typeof value === 'string' && value.length > LONG
  return kinds.map((kind) => (defer && serverFieldTypes[kind].searchable ? null : fieldTokens(kind, value)))
}

export const prepareFields = (values: FieldValues): PreparedFields => {
  const shape: FieldShape[] = []
  let first = 0
  for (const [name, value] of Object.entries(values)) {
    const isNull = value === null
    const kinds = isNull ? [] : fieldKinds.filter((kind) => fieldType(kind).check(value) === null)
    shape.push({ name, isNull, kinds, first })
    first += kinds.length
  }
  const tokens = () => shape.flatMap(({ name, kinds }) => tokensOf(values[name] ?? null, kinds))
  return { json: json(values), shape, tokens }
}

export const prepareSuggestion = (sent: SuggestionCreate): PreparedSuggestion => {
  const { question_id, value } = sent
  const score = sent.score ?? null
  return {
    question_id,
    value,
    type: sent.type ?? null,
    agent: sent.agent ?? null,
    score,
    value_json: json(value),
    score_json: score === null ? null : json(score),
  }
}

const prepareVectors = (vectors: Vectors | null | undefined): readonly PreparedVector[] =>
  Object.entries(vectors ?? {}).map(([name, numbers]) => ({ name, numbers: new Float64Array(numbers) }))

type Content = {
  readonly fields?: FieldValues | null | undefined
  readonly metadata?: JsonObject | null | undefined
  readonly suggestions?: readonly SuggestionCreate[] | null | undefined
  readonly vectors?: Vectors | null | undefined
}

const prepareContent = ({ fields, metadata, suggestions, vectors }: Content) => ({
  fields: fields ? prepareFields(fields) : null,
  metadata: metadata === undefined ? null : { value: metadata, json: metadata && json(metadata) },
  suggestions: suggestions ? suggestions.map(prepareSuggestion) : null,
  vectors: prepareVectors(vectors),
})

/**
 * Prepares an item of a bulk request that creates or upserts records. The server assigns the IDs of new records, so an item of a
 * create request has no ID.
 */
export const prepareRecord = (sent: RecordCreate | RecordUpsert): PreparedRecord => ({
  id: ('id' in sent ? sent.id : null) ?? null,
  external_id: sent.external_id ?? null,
  responses: sent.responses ?? [],
  ...prepareContent(sent),
})

/** Prepares the body of a PATCH. */
export const prepareUpdate = (sent: RecordUpdate): PreparedRecord => ({
  id: null,
  external_id: null,
  responses: [],
  ...prepareContent(sent),
})
