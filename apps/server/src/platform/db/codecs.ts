import { columnKinds } from './column-kinds.ts'
import type { Json } from './columns.ts'

export type { Json } from './columns.ts'

/** Encodes a value for a JSON column. JSON is stored as TEXT on both engines, which preserves the key order. */
export const json = (value: unknown): Json => JSON.stringify(value) as Json

type Decoder = (value: unknown) => unknown

const decodeJson: Decoder = (value) => (typeof value === 'string' ? JSON.parse(value) : value)
const decodeBool: Decoder = (value) => (typeof value === 'number' ? value !== 0 : value)

const decoders = new Map<string, Decoder>()
for (const [name, kind] of columnKinds) {
  if (kind === 'json') decoders.set(name, decodeJson)
  if (kind === 'bool') decoders.set(name, decodeBool)
}

/**
 * Decodes the values in rows in place. The name of a column determines how its values are decoded. A column selected under an
 * alias (`fields as fields_json`) stays raw.
 */
export const decodeRows = <Row>(rows: Row[]): Row[] => {
  const first = rows[0]
  if (first === undefined || first === null || typeof first !== 'object') return rows
  for (const key of Object.keys(first)) {
    const decode = decoders.get(key)
    if (decode === undefined) continue
    for (const row of rows as { [key: string]: unknown }[]) row[key] = decode(row[key])
  }
  return rows
}
