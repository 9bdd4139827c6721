import type { FieldValues } from '@postil/contract/field-values.ts'
import { type JsonObject, jsonEquals } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { SuggestionRow } from '../rows/suggestion-rows.ts'
import type { Schema } from '../schema.ts'
import { type PreparedFields, type PreparedMetadata, type PreparedRecord, prepareFields } from './prepare.ts'

/** The fields and metadata that items speak of, also where one has no value for them; all others stay as a record has them. */
export type Spoken = { readonly fields: ReadonlySet<string>; readonly metadata: ReadonlySet<string> }

/** What stands, without what is spoken of; null where that is nothing. */
const unspokenIn = (standing: JsonObject, spoken: ReadonlySet<string>): JsonObject | null => {
  const kept = Object.entries(standing).filter(([name]) => !spoken.has(name))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

const bothFields = (kept: FieldValues, sent: PreparedFields): PreparedFields => {
  const stay = prepareFields(kept)
  const lists = stay.shape.reduce((sum, { kinds }) => sum + kinds.length, 0)
  const shifted = sent.shape.map((one) => ({ ...one, first: one.first + lists }))
  return {
    json: json({ ...kept, ...(JSON.parse(sent.json) as FieldValues) }),
    shape: [...stay.shape, ...shifted],
    tokens: () => [...stay.tokens(), ...sent.tokens()],
  }
}

/** The item's fields with those that it does not speak of. @param standing the fields that its record has, as JSON */
export const withUnspokenFields = (item: PreparedRecord, standing: string, { fields }: Spoken): PreparedRecord => {
  const kept = unspokenIn(JSON.parse(standing) as FieldValues, fields)
  return kept === null || item.fields === null ? item : { ...item, fields: bothFields(kept, item.fields) }
}

/** The same of metadata. Null: nothing is spoken of, and it stays. */
const wholeMetadata = (sent: PreparedMetadata, standing: string | null, spoken: Spoken['metadata']): PreparedMetadata | null => {
  if (spoken.size === 0) return null
  const kept = standing === null ? null : unspokenIn(JSON.parse(standing) as JsonObject, spoken)
  if (kept === null) return sent
  const value = { ...kept, ...sent.value }
  return { value, json: json(value) }
}

/**
 * The item with the metadata that it does not speak of, and without suggestions that its record has with the same value: those stay
 * with their agent and score. What stays is not judged again: it may be older than a rule.
 * @param standing the metadata that its record has, as JSON
 */
export const withUnspoken = (
  item: PreparedRecord,
  standing: { readonly metadata: string | null; readonly suggestions: readonly SuggestionRow[] },
  { spoken, schema }: { readonly spoken: Spoken; readonly schema: Schema },
): PreparedRecord => {
  const repeats = ({ question_id, value }: NonNullable<PreparedRecord['suggestions']>[number]): boolean => {
    const no = schema.questionsById.get(question_id)?.no
    const row = standing.suggestions.find(({ question_no }) => question_no === no)
    return row !== undefined && jsonEquals(JSON.parse(row.value_json), value)
  }
  return {
    ...item,
    metadata: item.metadata && wholeMetadata(item.metadata, standing.metadata, spoken.metadata),
    suggestions: item.suggestions?.filter((one) => !repeats(one)) ?? null,
  }
}
