import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Indexed } from './define.ts'

/** How a property's values are filtered, sorted and counted. Metadata is indexed in the same way as question values. */
type ServerMetadataType = {
  readonly indexed: Indexed
  /** Whether the values are integers or any numbers; null if they aren't numbers. */
  readonly numeric: 'whole' | 'any' | null
  readonly terms: (value: JsonValue) => readonly string[]
  readonly numbers: (value: JsonValue) => readonly number[]
}

/** Terms are compared as text: a number as its digits, an object or nested list as its JSON. */
const termOf = (item: JsonValue): readonly string[] => {
  if (item === null) return []
  if (typeof item === 'object') return [JSON.stringify(item)]
  return [String(item)]
}
const termsOf = (value: JsonValue): readonly string[] => (Array.isArray(value) ? value.flatMap(termOf) : termOf(value))

// Clients may send booleans instead of integers. Records that are older than the property may have values that the property would
// have rejected.
const numbersOf = (value: JsonValue): readonly number[] => {
  if (typeof value === 'boolean') return [Number(value)]
  return typeof value === 'number' && Number.isFinite(value) ? [value] : []
}

const numbers = { indexed: 'numbers', terms: () => [], numbers: numbersOf } as const

export const serverMetadataTypes: { readonly [K in MetadataKind]: ServerMetadataType } = {
  terms: { indexed: 'terms', numeric: null, terms: termsOf, numbers: () => [] },
  integer: { ...numbers, numeric: 'whole' },
  float: { ...numbers, numeric: 'any' },
}
