import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { imageType, knownImageType } from '#platform/images/image-type.ts'
import { textOf } from './text.ts'

/** A cell that can't be cast. The reason completes a sentence that starts with the column. */
export class CellFault extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super('a cell cannot be cast')
    this.reason = reason
  }
}

type Feature = { readonly _type?: unknown; readonly [key: string]: unknown }
const typeOf = (feature: unknown): string | null => {
  const type = isJsonObject(feature) ? (feature as Feature)._type : undefined
  return typeof type === 'string' ? type : null
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
const ofBigint = (value: bigint): number | string => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))
const isAbsent = (value: unknown): boolean => value === null || value === undefined

/** Converts a Parquet value to JSON. */
const plain = (value: unknown): unknown => {
  if (isAbsent(value)) return null
  if (typeof value === 'bigint') return ofBigint(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return base64(value)
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<unknown>)].map(plain)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, plain(one)]))
  return value
}

/**
 * Converts bytes from a column that doesn't declare what they contain. An image becomes a data URL, and UTF-8 becomes text. Other
 * bytes become Base64.
 */
const ofBytes = (bytes: Uint8Array): unknown => {
  const type = knownImageType(bytes)
  if (type !== null) return `data:${type};base64,${base64(bytes)}`
  return isUtf8(bytes) ? textOf(bytes) : base64(bytes)
}

const ofValue = (feature: Feature, value: unknown): unknown => {
  const dtype = String(feature['dtype'] ?? '')
  // Some programs write strings without declaring them as strings.
  if (value instanceof Uint8Array && dtype.endsWith('string')) return textOf(value)
  if (value instanceof Uint8Array && dtype === 'bytes') return ofBytes(value)
  if (value instanceof Date && dtype.startsWith('date')) return value.toISOString().slice(0, 10)
  return plain(value)
}

const ofLabel = (feature: Feature, value: unknown): unknown => {
  if (typeof value === 'string') return value
  const place = Number(value)
  if (place === -1) return null
  const names: readonly unknown[] = Array.isArray(feature['names']) ? feature['names'] : []
  const name = names[place]
  if (typeof name !== 'string') throw new CellFault(message('classNoName', { value: String(value).slice(0, 50) }))
  return name
}

const ofImage = (value: unknown): unknown => {
  const { bytes, path } = (value instanceof Uint8Array ? { bytes: value } : (value ?? {})) as { bytes?: unknown; path?: unknown }
  if (bytes instanceof Uint8Array && bytes.length > 0) return `data:${imageType(bytes)};base64,${base64(bytes)}`
  const place = typeof value === 'string' ? value : path
  if (typeof place === 'string' && /^(https?:\/\/|data:image\/)/i.test(place)) return place
  throw new CellFault(message('imageNoBytes'))
}

/**
 * Converts each item of a sequence to the type `inner`. A sequence of objects may be stored as a list of objects, or as one
 * object that contains a list for each key.
 */
const ofItems = (inner: unknown, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => castCell(inner, item))
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<unknown>)].map((item) => castCell(inner, item))
  if (!isJsonObject(inner) || typeof value !== 'object') return plain(value)
  const lists = Object.entries(value as object).map(([key, list]) => [key, ofItems((inner as Feature)[key], list)])
  return Object.fromEntries(lists)
}

const ofObject = (feature: Feature, value: unknown): unknown => {
  if (typeof value !== 'object') return plain(value)
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, castCell(feature[key], one)]))
}

const casts: { readonly [type: string]: (feature: Feature, value: unknown) => unknown } = {
  Value: ofValue,
  ClassLabel: ofLabel,
  Image: (_feature, value) => ofImage(value),
  Sequence: ({ feature }, value) => ofItems(feature, value),
  List: ({ feature }, value) => ofItems(feature, value),
  LargeList: ({ feature }, value) => ofItems(feature, value),
}

/**
 * Casts a cell to JSON according to the dataset's description of its column: class names replace numbers, images become data
 * URLs, and lists and objects are cast recursively. @param feature the description from the datasets server; omitted if
 * unknown. @throws CellFault
 */
export const castCell = (feature: unknown, value: unknown): unknown => {
  if (isAbsent(value)) return null
  if (Array.isArray(feature)) return ofItems(feature[0], value)
  const type = typeOf(feature)
  if (type !== null && casts[type] !== undefined) return casts[type](feature as Feature, value)
  return isJsonObject(feature) && type === null ? ofObject(feature as Feature, value) : plain(value)
}

/** The type of a column's innermost elements (`ClassLabel`, `Image` …), and how many levels of lists contain them. */
export const kindOf = (
  feature: unknown,
): { readonly type: string | null; readonly depth: number; readonly names: readonly string[] } => {
  if (Array.isArray(feature)) {
    const inner = kindOf(feature[0])
    return { ...inner, depth: inner.depth + 1 }
  }
  const type = typeOf(feature)
  if (type === 'Sequence' || type === 'List' || type === 'LargeList') {
    const inner = kindOf((feature as Feature)['feature'])
    return { ...inner, depth: inner.depth + 1 }
  }
  const names = isJsonObject(feature) ? (feature as Feature)['names'] : null
  return { type, depth: 0, names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [] }
}
