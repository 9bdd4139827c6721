import type { JsonValue } from '@postil/contract/wire/json.ts'

/**
 * Maximum length of a value in column statistics. A column's smallest and largest value stay in memory until they are written
 * at the end of the file. Long ones would take as much memory as the data and help no reader.
 */
const LONG = 1000

const isLong = (value: unknown): boolean => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length > LONG
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}

/** Whether a column has long texts or bytes, including inside lists and structs. Such a column gets no statistics. */
export const hasLongValues = (values: readonly unknown[]): boolean => values.some(isLong)

/** The length of a value's text, to limit how many rows are buffered. */
export const charactersOf = (value: JsonValue): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
