import type { FieldValues } from '@postil/contract/field-values.ts'
import { answerFieldOf } from '@postil/contract/question-types/answer-field.ts'
import { checkMetadata, checkResponse } from '@postil/contract/record-rules.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import { type JsonObject, type JsonValue, jsonFault } from '@postil/contract/wire/json.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { authorFault, type KnownUsers } from '#features/responses/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { PreparedMetadata, PreparedRecord, PreparedSuggestion } from '../bulk/prepare.ts'
import { recordFault, suggestionFault } from '../check.ts'
import type { Schema } from '../schema.ts'

/* Data from another server was valid when it was written there. It must not be dropped because of rules that were set later.
   Examples are metadata that a property no longer accepts, answers that lack a value, and spans beyond the end of a text that was
   shortened later. The only data left out is data that can't be stored exactly or would be meaningless here. */

/** A part of a record that is left out, and the reason as one sentence. */
export type LeftOut = { readonly record_id: string; readonly part: string; readonly reason: string }

const nothing: PreparedRecord = {
  id: null,
  external_id: null,
  fields: null,
  metadata: null,
  responses: [],
  suggestions: null,
  vectors: [],
}

const partFault = (part: Partial<PreparedRecord>, schema: Schema, stored: string | null): Reason | null =>
  recordFault({ ...nothing, ...part }, { schema, allowExtra: true, users: new Map() }, { fields: stored, metadata: null })

const MAX_SENTENCE_LENGTH = 10_000_000

/**
 * Returns the fields, but replaces each field that answers refer to. Values that were valid for earlier content of the field are
 * also valid for the replacement, which is a list of strings as JSON text:
 * - It contains every value that is a string, so that the value counts as an option.
 * - One more string makes the text long enough for every span.
 * - For questions about turns, such text is a conversation whose messages are unknown.
 */
const fittingFields = (fields: FieldValues, schema: Schema, values: readonly unknown[]): FieldValues => {
  const ends = values.flat().map((item) => Number(Object(item).end))
  const length = Math.max(1, ...ends.filter((end) => end <= MAX_SENTENCE_LENGTH))
  const referred = schema.questions.map(({ settings }) => answerFieldOf(settings)).filter((name) => name !== null)
  const fitting = JSON.stringify([...values.filter((value) => typeof value === 'string'), 'x'.repeat(length)])
  return { ...fields, ...Object.fromEntries(referred.map((name) => [name, fitting])) }
}

const responseFault = ({ values, suggestion_outcomes }: RecordResponse, schema: Schema, fields: FieldValues): Reason | null => {
  const check = (by: FieldValues) =>
    checkResponse(values, 'draft', schema.questions, { fields: by, metadata: null }, suggestion_outcomes)
  const fault = check(fields)
  if (fault === null || !schema.readsFields) return fault
  return check(
    fittingFields(
      fields,
      schema,
      Object.values(values ?? {}).map(({ value }) => value),
    ),
  )
}

const storedSuggestionFault = (suggestion: PreparedSuggestion, schema: Schema, fields: FieldValues): Reason | null => {
  const fault = suggestionFault(suggestion, schema, fields)
  if (fault === null || !schema.readsFields) return fault
  return suggestionFault(suggestion, schema, fittingFields(fields, schema, [suggestion.value]))
}

const metadataFault = (name: string, value: JsonValue, { properties }: Schema): Reason | null =>
  checkMetadata({ [name]: value }, properties, true) === null ? null : jsonFault(value)

type Report = (part: string, reason: string) => void

const acceptedMetadata = (metadata: PreparedMetadata | null, schema: Schema, report: Report): PreparedMetadata | null => {
  if (metadata === null || metadata.value === null) return metadata
  const entries = Object.entries(metadata.value)
  const accepted = entries.filter(([name, value]) => {
    const fault = metadataFault(name, value, schema)
    if (fault !== null) report(`metadata ${JSON.stringify(name)}`, renderMessage(fault))
    return fault === null
  })
  if (accepted.length === entries.length) return metadata
  const value: JsonObject = Object.fromEntries(accepted)
  return { value, json: json(value) }
}

type AcceptedParts = {
  readonly item: PreparedRecord
  /** Indexes of the accepted answers and suggestions. */
  readonly responses: readonly number[]
  readonly suggestions: readonly number[]
}

/**
 * The part of a record that can be accepted; null when nothing can.
 * @param users the authors that exist
 * @param stored the JSON of the existing record's fields; null for a new record
 */
export const acceptedParts = (
  item: PreparedRecord,
  { schema, users, stored }: { readonly schema: Schema; readonly users: KnownUsers; readonly stored: string | null },
  report: Report,
): AcceptedParts | null => {
  const fault = partFault({ fields: item.fields }, schema, stored)
  if (fault !== null) {
    report('the record', renderMessage(fault))
    return null
  }
  const fields = schema.readsFields ? (JSON.parse(item.fields?.json ?? stored ?? '{}') as FieldValues) : {}
  const accepted = <T>(list: readonly T[], part: string, check: (one: T) => Reason | null): readonly number[] =>
    list.flatMap((one, index) => {
      const reason = check(one)
      if (reason !== null) report(part, renderMessage(reason))
      return reason === null ? [index] : []
    })
  const responses = accepted(
    item.responses,
    'an answer',
    (one) => authorFault(one.user_id, users) ?? responseFault(one, schema, fields),
  )
  const suggestions = accepted(item.suggestions ?? [], 'a suggestion', (one) => storedSuggestionFault(one, schema, fields))
  const vectors = accepted(item.vectors, 'a vector', (one) => partFault({ vectors: [one] }, schema, '{}'))
  return {
    item: {
      ...item,
      metadata: acceptedMetadata(item.metadata, schema, report),
      vectors: vectors.flatMap((index) => item.vectors[index] ?? []),
    },
    responses,
    suggestions,
  }
}
