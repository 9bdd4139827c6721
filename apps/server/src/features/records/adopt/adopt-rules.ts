import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkMetadata, checkResponse } from '@postil/contract/record-rules.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import { type JsonObject, type JsonValue, jsonFault } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { PreparedMetadata, PreparedRecord, PreparedSuggestion } from '../bulk/prepare.ts'
import { recordFault, suggestionFault } from '../check.ts'
import type { Schema } from '../schema.ts'

/*
 * What another server holds was right when it was written there. Rules that were set later do not drop it: metadata that a property
 * would not let in any more, answers that lack a value, marks beyond the end of a text that became shorter. What is left out is what
 * cannot be kept exactly or would mean nothing here.
 */

/** A part of a record that is left out, and why: one sentence. */
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

const partFault = (part: Partial<PreparedRecord>, schema: Schema, stored: string | null): string | null =>
  recordFault({ ...nothing, ...part }, { schema, allowExtra: true, users: new Set() }, stored)

const MOST_CHARACTERS = 10_000_000

/** The fields, with a text that is long enough for every mark in the place of each that is marked. */
const longEnough = (fields: FieldValues, schema: Schema, values: readonly unknown[]): FieldValues => {
  const ends = values.flat().map((item) => Number(Object(item).end))
  const length = Math.max(1, ...ends.filter((end) => end <= MOST_CHARACTERS))
  const marked = schema.questions.flatMap(({ settings }) => ('field' in settings ? [settings.field] : []))
  const stand = 'x'.repeat(length)
  return { ...fields, ...Object.fromEntries(marked.map((name) => [name, stand])) }
}

const responseFault = ({ values }: RecordResponse, schema: Schema, fields: FieldValues): string | null => {
  const judge = (by: FieldValues) => checkResponse(values, 'draft', schema.questions, by)
  const fault = judge(fields)
  if (fault === null || !schema.readsFields) return fault
  return judge(
    longEnough(
      fields,
      schema,
      Object.values(values ?? {}).map(({ value }) => value),
    ),
  )
}

const keptSuggestionFault = (suggestion: PreparedSuggestion, schema: Schema, fields: FieldValues): string | null => {
  const fault = suggestionFault(suggestion, schema, fields)
  if (fault === null || !schema.readsFields) return fault
  return suggestionFault(suggestion, schema, longEnough(fields, schema, [suggestion.value]))
}

const metadataFault = (name: string, value: JsonValue, { properties }: Schema): string | null =>
  checkMetadata({ [name]: value }, properties, true) === null ? null : jsonFault(value)

type Report = (part: string, reason: string) => void

const keptMetadata = (metadata: PreparedMetadata | null, schema: Schema, report: Report): PreparedMetadata | null => {
  if (metadata === null || metadata.value === null) return metadata
  const entries = Object.entries(metadata.value)
  const good = entries.filter(([name, value]) => {
    const fault = metadataFault(name, value, schema)
    if (fault !== null) report(`metadata ${JSON.stringify(name)}`, fault)
    return fault === null
  })
  if (good.length === entries.length) return metadata
  const value: JsonObject = Object.fromEntries(good)
  return { value, json: json(value) }
}

export type Keepable = {
  readonly item: PreparedRecord
  /** Places, among those that were sent, of the answers and suggestions that stay. */
  readonly responses: readonly number[]
  readonly suggestions: readonly number[]
}

/**
 * Of a record what can be kept; null where nothing of it can.
 * @param users that exist
 * @param stored the JSON of the fields that the record has here; null for a new one
 */
export const keepable = (
  item: PreparedRecord,
  { schema, users, stored }: { readonly schema: Schema; readonly users: ReadonlySet<string>; readonly stored: string | null },
  report: Report,
): Keepable | null => {
  const fault = partFault({ fields: item.fields }, schema, stored)
  if (fault !== null) {
    report('the record', fault)
    return null
  }
  const fields = schema.readsFields ? (JSON.parse(item.fields?.json ?? stored ?? '{}') as FieldValues) : {}
  const good = <T>(list: readonly T[], part: string, judge: (one: T) => string | null): readonly number[] =>
    list.flatMap((one, place) => {
      const reason = judge(one)
      if (reason !== null) report(part, reason)
      return reason === null ? [place] : []
    })
  const responses = good(item.responses, 'an answer', (one) =>
    users.has(one.user_id) ? responseFault(one, schema, fields) : `User with id=${one.user_id} not found`,
  )
  const suggestions = good(item.suggestions ?? [], 'a suggestion', (one) => keptSuggestionFault(one, schema, fields))
  const vectors = good(item.vectors, 'a vector', (one) => partFault({ vectors: [one] }, schema, '{}'))
  return {
    item: {
      ...item,
      metadata: keptMetadata(item.metadata, schema, report),
      vectors: vectors.flatMap((place) => item.vectors[place] ?? []),
    },
    responses,
    suggestions,
  }
}
