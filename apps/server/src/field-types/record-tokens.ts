import type { KindNames } from '@postil/contract/wire/kinds.ts'
import type { FieldContent, FieldTokens } from '#platform/text/evaluate.ts'
import { serverFieldType } from './registry.ts'

/** A field of a dataset, with `settings` as stored. */
export type SearchableField = { readonly name: string; readonly settings: KindNames }

/**
 * The searchable tokens of a record.
 *
 * @param fields all fields of the dataset, ordered by `no`. A field's index is its position in this list
 * @param values the record's `fields`
 */
export const recordTokens = (fields: readonly SearchableField[], values: { readonly [name: string]: unknown }): FieldTokens[] => {
  const found: FieldTokens[] = []
  for (const [field, { name, settings }] of fields.entries()) {
    if (!Object.hasOwn(values, name)) continue
    const tokens: string[] = []
    serverFieldType(settings).appendTokens(tokens, values[name])
    if (tokens.length > 0) found.push({ field, tokens })
  }
  return found
}

/** Like `recordTokens`, but also returns the texts as written. */
export const recordContent = (fields: readonly SearchableField[], values: { readonly [name: string]: unknown }): FieldContent[] =>
  recordTokens(fields, values).map(({ field, tokens }) => {
    const { name, settings } = fields[field]!
    const texts: string[] = []
    serverFieldType(settings).appendTexts(texts, values[name])
    return { field, tokens, texts }
  })
