import { foldAccents } from '@postil/contract/wire/fold-accents.ts'
import type { KindNames } from '@postil/contract/wire/kinds.ts'
import type { FieldContent, FieldTokens } from '#platform/text/evaluate.ts'
import { serverFieldType } from './registry.ts'

/** A field of a dataset, with `settings` as stored. */
export type SearchableField = {
  readonly name: string
  readonly settings: KindNames
  /** Whether searches for words ignore accents. */
  readonly ignores_accents: boolean
}

/** Returns a value after removing the accents from all strings and keys in it. */
const withoutAccents = (value: unknown): unknown => {
  if (typeof value === 'string') return foldAccents(value)
  if (Array.isArray(value)) return value.map(withoutAccents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [foldAccents(key), withoutAccents(member)]))
}

/** A field's value in the form that is searched: without accents if searches ignore them. */
export const searchedValue = <V>(value: V, { ignores_accents }: Pick<SearchableField, 'ignores_accents'>): V =>
  // The cast is safe. Removing accents changes only two things: the content of strings, and keys that `V` doesn't declare.
  ignores_accents ? (withoutAccents(value) as V) : value

/**
 * The searchable tokens of a record.
 *
 * @param fields all fields of the dataset, ordered by `no`. In the result, `field` is the position of a field in this list
 * @param values the record's `fields`
 */
export const recordTokens = (fields: readonly SearchableField[], values: { readonly [name: string]: unknown }): FieldTokens[] => {
  const found: FieldTokens[] = []
  for (const [field, one] of fields.entries()) {
    const { name, settings } = one
    if (!Object.hasOwn(values, name)) continue
    const tokens: string[] = []
    serverFieldType(settings).appendTokens(tokens, searchedValue(values[name], one))
    if (tokens.length > 0) found.push({ field, tokens })
  }
  return found
}

/**
 * Like `recordTokens`, but also returns the strings from which the tokens were made. If searches ignore accents, the accents are
 * also removed from these strings.
 */
export const recordContent = (fields: readonly SearchableField[], values: { readonly [name: string]: unknown }): FieldContent[] =>
  recordTokens(fields, values).map(({ field, tokens }) => {
    const one = fields[field]!
    const texts: string[] = []
    serverFieldType(one.settings).appendTexts(texts, searchedValue(values[one.name], one))
    return { field, tokens, texts }
  })
