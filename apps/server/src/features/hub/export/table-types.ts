import { isJsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import type { Column } from '#features/files/service.ts'

/** What stands in a column of a table of the hub, as far down as it goes. `none`: nothing but null has been seen. */
export type TableType =
  | { readonly kind: 'none' | 'text' | 'integer' | 'float' | 'boolean' | 'time' | 'image' | 'json' }
  | { readonly kind: 'list'; readonly of: TableType }
  | { readonly kind: 'object'; readonly keys: { readonly [key: string]: TableType } }

const NONE: TableType = { kind: 'none' }
/** Values that have nothing in common but that they can be written down. */
const JSON_TEXT: TableType = { kind: 'json' }
/** An object with more keys than that is no row of a table. */
const MAX_KEYS = 100

/** The type of a value by itself. */
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

/** The type that has room for values of both. */
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

/** How a column is to be seen: by what it says of itself, or by all of its values. */
export type Judge = { readonly see: (value: JsonValue) => void; readonly type: () => TableType }

/** Of a column whose values are JSON: the type that has room for all. */
const byValues = (): Judge => {
  let type: TableType = NONE
  return {
    see: (value) => {
      type = merged(type, typeOf(value))
    },
    type: () => type,
  }
}

/** Of a field with images: images when all are there, texts when any is an address. */
const byImages = (): Judge => {
  let count = 0
  let elsewhere = 0
  return {
    see: (value) => {
      if (value === null) return
      count += 1
      if (!isImageData(value)) elsewhere += 1
    },
    type: () => ({ kind: count > 0 && elsewhere === 0 ? 'image' : 'text' }),
  }
}

const fixed = (type: TableType): Judge => ({ see: () => undefined, type: () => type })

/** @param what `image` and `time` for columns that are more than the texts which they look like */
export const judgeOf = ({ kind, depth }: Column, what: 'image' | 'time' | null): Judge => {
  if (what === 'image') return byImages()
  if (what === 'time') return fixed({ kind: 'time' })
  if (kind === 'json') return byValues()
  let type: TableType = scalars[kind]
  for (let level = 0; level < depth; level += 1) type = { kind: 'list', of: type }
  return fixed(type)
}
