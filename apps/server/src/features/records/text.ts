import { fieldKindOf } from '@postil/contract/field-types/index.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { recordTokens, searchedValue } from '#field-types/record-tokens.ts'
import type { FieldTokens } from '#platform/text/evaluate.ts'
import { fieldTokens, type PreparedFields } from './bulk/prepare.ts'
import type { Schema } from './schema.ts'

/** Returns the searchable tokens of submitted, validated fields, as `recordTokens` does for stored fields. */
export const tokensOf = ({ json, shape, tokens }: PreparedFields, schema: Schema): FieldTokens[] => {
  const lists = tokens()
  let values: JsonObject | null = null
  const found: FieldTokens[] = []
  for (const { name, kinds, first } of shape) {
    const fieldIndex = schema.fieldPlaces.get(name) ?? -1
    const field = schema.fields[fieldIndex]
    const kind = field && fieldKindOf(field.settings)
    const reading = kind === undefined ? -1 : kinds.indexOf(kind)
    if (field === undefined || kind === undefined || reading < 0) continue
    // Prepared tokens contain accents, because they are computed before the dataset is known.
    let list = field.ignores_accents ? null : (lists[first + reading] ?? null)
    if (list === null) {
      values ??= JSON.parse(json) as JsonObject
      list = fieldTokens(kind, searchedValue(values[name] ?? null, field))
    }
    if (list.length > 0) found.push({ field: fieldIndex, tokens: list })
  }
  return found.sort((a, b) => a.field - b.field)
}

/**
 * Whether the tokens that were prepared for a record can be used in this dataset. They were prepared with accents and for the
 * first field type that accepts each value. Therefore, every field must have that type and must not ignore accents.
 */
export const usesPreparedTokens = ({ shape }: PreparedFields, { fields, fieldPlaces }: Schema): boolean =>
  shape.every(({ name, kinds }) => {
    const field = fields[fieldPlaces.get(name) ?? -1]
    return kinds.length === 0 || ((field && fieldKindOf(field.settings)) === kinds[0] && !field?.ignores_accents)
  })

/** Like `tokensOf`, for stored fields. */
export const storedTokens = (fields_json: string, schema: Schema): FieldTokens[] =>
  recordTokens(schema.fields, JSON.parse(fields_json) as JsonObject)
