import { hasUnstorable } from './code-points.ts'
import { message, type Reason } from './message.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/** Deeper values are refused because recursive code on both sides of the wire relies on this limit. */
export const maxJsonDepth = 100

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const numberFault = (value: number): string | null => {
  if (!Number.isFinite(value)) return 'numbers must be finite'
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 'integers must lie within ±(2^53−1)'
  return null
}

export const textFault = (value: string): Reason | null => (hasUnstorable(value) ? message('badText') : null)

/**
 * Why a JSON value can't be stored exactly as it was sent, or null.
 * @param ofNumber the check for numbers; callers that know the type of the numbers can replace the default check
 */
export const jsonFault = (value: unknown, depth = 0, ofNumber = numberFault): Reason | null => {
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number') return ofNumber(value)
  if (value === null || typeof value === 'boolean') return null
  if (typeof value !== 'object') return 'value is not JSON'
  if (depth >= maxJsonDepth) return `values must not be nested deeper than ${maxJsonDepth} levels`
  if (Array.isArray(value)) return firstFault(value, (item) => jsonFault(item, depth + 1, ofNumber))
  return firstFault(Object.entries(value), ([key, item]) => textFault(key) ?? jsonFault(item, depth + 1, ofNumber))
}

const firstFault = <T>(items: readonly T[], check: (item: T) => Reason | null): Reason | null => {
  for (const item of items) {
    const fault = check(item)
    if (fault !== null) return fault
  }
  return null
}

/** Compares JSON values. The order of object keys does not matter. */
export const jsonEquals = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && jsonEquals(Reflect.get(a, key), Reflect.get(b, key)))
}
