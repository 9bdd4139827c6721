import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Indexed } from './define.ts'

/** Metadata is found like the values of questions: what a property's value is filtered, sorted and counted by. */
type ServerMetadataType = {
  readonly indexed: Indexed
  /** Which numbers its values are; null where they are none. */
  readonly numeric: 'whole' | 'any' | null
  readonly terms: (value: JsonValue) => readonly string[]
  readonly numbers: (value: JsonValue) => readonly number[]
}

/** Terms are compared as text: a number is its digits, an object or nested list its JSON. */
const termOf = (item: JsonValue): readonly string[] => {
  if (item === null) return []
  if (typeof item === 'object') return [JSON.stringify(item)]
  return [String(item)]
}
const termsOf = (value: JsonValue): readonly string[] => (Array.isArray(value) ? value.flatMap(termOf) : termOf(value))

// NOTE: clients send bools for integers; and a property added later meets values that it would not have let in
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
