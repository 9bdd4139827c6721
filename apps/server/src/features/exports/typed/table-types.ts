import { isJsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import type { Column } from '../columns.ts'

/** The type of a Hub table column or of a value nested in it. `none` means that all values so far are null. */
export type TableType =
  | { readonly kind: 'none' | 'text' | 'integer' | 'float' | 'boolean' | 'time' | 'image' | 'json' }
  /** An integer that is the position of a name. */
  | { readonly kind: 'class'; readonly names: readonly string[] }
  | { readonly kind: 'list'; readonly of: TableType }
  | { readonly kind: 'object'; readonly keys: { readonly [key: string]: TableType } }

const NONE: TableType = { kind: 'none' }

/** The type of a column whose values have no common type other than JSON. */
const JSON_TEXT: TableType = { kind: 'json' }

/** Maximum number of keys of an object type. An object with more keys gets the JSON type. */
const MAX_KEYS = 100

/** The type of a single value. */
const typeOf = (value: JsonValue): TableType => {
  if (value === null) return NONE
  if (typeof value === 'string') return { kind: 'text' }
  if (typeof value === 'boolean') return { kind: 'boolean' }
  if (typeof value === 'number') return { kind: Number.isSafeInteger(value) ? 'integer' : 'float' }
  if (Array.isArray(value)) return { kind: 'list', of: value.map(typeOf).reduce(merged, NONE) }
  if (!isJsonObject(value)) return NONE
  const keys = Object.entries(value)
  if (keys.length === 0 || keys.length > MAX_KEYS) return JSON_TEXT
  return { kind: 'object', keys: Object.fromEntries(keys.map(([key, one]) => [key, typeOf(one as JsonValue)])) }
}

/** The narrowest type that holds the values of both types. */
export const merged = (a: TableType, b: TableType): TableType => {
  if (a.kind === 'none') return b
  if (b.kind === 'none') return a
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: merged(a.of, b.of) }
  if (a.kind === 'object' && b.kind === 'object') {
    const names = [...new Set([...Object.keys(a.keys), ...Object.keys(b.keys)])]
    if (names.length > MAX_KEYS) return JSON_TEXT
    const { keys: left } = a
    const { keys: right } = b
    return { kind: 'object', keys: Object.fromEntries(names.map((key) => [key, merged(left[key] ?? NONE, right[key] ?? NONE)])) }
  }
  if (a.kind === b.kind) return a
  const kinds = [a.kind, b.kind]
  return kinds.includes('integer') && kinds.includes('float') ? { kind: 'float' } : JSON_TEXT
}

const scalars: { readonly [K in Exclude<Column['kind'], 'json'>]: TableType } = {
  text: { kind: 'text' },
  integer: { kind: 'integer' },
  number: { kind: 'float' },
}

const DATA_URL = /^data:image\/[\w.+-]+;base64,/i
export const isImageData = (value: unknown): value is string => typeof value === 'string' && DATA_URL.test(value)

/** Determines a column's type, from its declaration or from all of its values. */
type TypeInference = { readonly observe: (value: JsonValue) => void; readonly type: () => TableType }

/** For a JSON column: the type that holds all values. */
const inferFromValues = (): TypeInference => {
  let type: TableType = NONE
  return {
    observe: (value) => {
      type = merged(type, typeOf(value))
    },
    type: () => type,
  }
}

/** Determines the type of an image field. If all values are embedded images, it is an image column; otherwise, a text column. */
const inferFromImages = (): TypeInference => {
  let count = 0
  let otherCount = 0
  return {
    observe: (value) => {
      if (value === null) return
      count += 1
      if (!isImageData(value)) otherCount += 1
    },
    type: () => ({ kind: count > 0 && otherCount === 0 ? 'image' : 'text' }),
  }
}

const fixed = (type: TableType): TypeInference => ({ observe: () => undefined, type: () => type })

/** @param what `image` or `time` for a text column that contains images or times; null for other columns */
export const typeInferenceOf = ({ kind, depth }: Column, what: 'image' | 'time' | null): TypeInference => {
  if (what === 'image') return inferFromImages()
  if (what === 'time') return fixed({ kind: 'time' })
  if (kind === 'json') return inferFromValues()
  let type: TableType = scalars[kind]
  for (let level = 0; level < depth; level += 1) type = { kind: 'list', of: type }
  return fixed(type)
}
