import type { JsonValue } from '@postil/contract/wire/json.ts'

/**
 * Maximum length of a value in column statistics. A column's smallest and largest value stay in memory until they are written at
 * the end of the file. Long values would take as much memory as the data, and would be of no use to readers.
 */
const LONG = 1000
/**
 * Maximum length of a value in a compressed column. Larger ones are mostly images, which are already compressed. Compressing
 * one takes about a tenth of a second, and other requests wait during that time.
 */
const VERY_LONG = 250_000

const isLongerThan = (limit: number, value: unknown): boolean => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length > limit
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => isLongerThan(limit, one))
}

/** Options for writing a column with these values, which may be inside lists and structs. */
export const columnOptions = (values: readonly unknown[]): { readonly statistics: boolean; readonly codec?: 'UNCOMPRESSED' } => ({
  statistics: !values.some((value) => isLongerThan(LONG, value)),
  ...(values.some((value) => isLongerThan(VERY_LONG, value)) && { codec: 'UNCOMPRESSED' }),
})

/** The length of a value's text, to limit how many rows are buffered. */
export const charactersOf = (value: JsonValue): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
