import type { JsonObject } from '@postil/contract/wire/json.ts'
import { recordTokens } from '#field-types/record-tokens.ts'
import type { FieldTokens } from '#platform/text/evaluate.ts'
import { fieldTokens, type PreparedFields } from './bulk/prepare.ts'
import type { Schema } from './schema.ts'

/** What is searchable of fields that were sent and checked, as `recordTokens` makes it of stored ones. */
export const tokensOf = ({ json, shape, tokens }: PreparedFields, schema: Schema): FieldTokens[] => {
  const lists = tokens()
  let values: JsonObject | null = null
  const found: FieldTokens[] = []
  for (const { name, kinds, first } of shape) {
    const place = schema.fieldPlaces.get(name) ?? -1
    const kind = schema.fields[place]?.settings.type
    const reading = kind === undefined ? -1 : kinds.indexOf(kind)
    if (kind === undefined || reading < 0) continue
    let list = lists[first + reading] ?? null
    if (list === null) {
      values ??= JSON.parse(json) as JsonObject
      list = fieldTokens(kind, values[name] ?? null)
    }
    if (list.length > 0) found.push({ field: place, tokens: list })
  }
  return found.sort((a, b) => a.field - b.field)
}

/** Whether each field of a record is of the first type that takes what was sent for it. */
export const readsFirst = ({ shape }: PreparedFields, { fields, fieldPlaces }: Schema): boolean =>
  shape.every(({ name, kinds }) => kinds.length === 0 || fields[fieldPlaces.get(name) ?? -1]?.settings.type === kinds[0])

/** The same of fields as they are stored. */
export const storedTokens = (fields_json: string, schema: Schema): FieldTokens[] =>
  recordTokens(schema.fields, JSON.parse(fields_json) as JsonObject)
