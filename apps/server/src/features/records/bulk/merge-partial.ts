import type { FieldValues } from '@postil/contract/field-values.ts'
import { type JsonObject, jsonEquals } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { SuggestionRow } from '../rows/suggestion-rows.ts'
import type { Schema } from '../schema.ts'
import { type PreparedFields, type PreparedMetadata, type PreparedRecord, prepareFields } from './prepare.ts'

/**
 * The names of the fields and metadata that an import overwrites. If a row has no value for one of these names, the record loses
 * its value, too. Other fields and metadata of the record stay unchanged.
 */
export type ProvidedKeys = { readonly fields: ReadonlySet<string>; readonly metadata: ReadonlySet<string> }

/** Returns the stored values whose names aren't in `provided`; null if there are none. */
const omitProvided = (current: JsonObject, provided: ReadonlySet<string>): JsonObject | null => {
  const remaining = Object.entries(current).filter(([name]) => !provided.has(name))
  return remaining.length === 0 ? null : Object.fromEntries(remaining)
}

const mergeFields = (remaining: FieldValues, sent: PreparedFields): PreparedFields => {
  const preparedRest = prepareFields(remaining)
  const lists = preparedRest.shape.reduce((sum, { kinds }) => sum + kinds.length, 0)
  const shifted = sent.shape.map((one) => ({ ...one, first: one.first + lists }))
  return {
    json: json({ ...remaining, ...(JSON.parse(sent.json) as FieldValues) }),
    shape: [...preparedRest.shape, ...shifted],
    tokens: () => [...preparedRest.tokens(), ...sent.tokens()],
  }
}

/** Adds the stored fields that the item does not provide. @param current the record's stored fields, as JSON */
export const mergePartialFields = (item: PreparedRecord, current: string, { fields }: ProvidedKeys): PreparedRecord => {
  const remaining = omitProvided(JSON.parse(current) as FieldValues, fields)
  return remaining === null || item.fields === null ? item : { ...item, fields: mergeFields(remaining, item.fields) }
}

/** Like `mergePartialFields`, for metadata. If the items provide no metadata, returns null, which keeps the stored metadata. */
const mergeMetadata = (
  sent: PreparedMetadata,
  current: string | null,
  provided: ProvidedKeys['metadata'],
): PreparedMetadata | null => {
  if (provided.size === 0) return null
  const remaining = current === null ? null : omitProvided(JSON.parse(current) as JsonObject, provided)
  if (remaining === null) return sent
  const value = { ...remaining, ...sent.value }
  return { value, json: json(value) }
}

/**
 * Adds the stored metadata that the item doesn't provide. Removes from the item each suggestion whose value equals the record's
 * stored suggestion, so that the stored suggestion keeps its agent and score. Stored values aren't validated again, because they
 * may have been stored before a rule was set.
 * @param current the record's stored metadata, as JSON, and its suggestions
 */
export const mergePartial = (
  item: PreparedRecord,
  current: { readonly metadata: string | null; readonly suggestions: readonly SuggestionRow[] },
  { provided, schema }: { readonly provided: ProvidedKeys; readonly schema: Schema },
): PreparedRecord => {
  const repeats = ({ question_id, value }: NonNullable<PreparedRecord['suggestions']>[number]): boolean => {
    const no = schema.questionsById.get(question_id)?.no
    const row = current.suggestions.find(({ question_no }) => question_no === no)
    return row !== undefined && jsonEquals(JSON.parse(row.value_json), value)
  }
  return {
    ...item,
    metadata: item.metadata && mergeMetadata(item.metadata, current.metadata, provided.metadata),
    suggestions: item.suggestions?.filter((one) => !repeats(one)) ?? null,
  }
}
