/**
 * A column's smallest and largest value are kept until the end of the file, and then written there. Long ones would take as much
 * memory as the data, and help no reader.
 */
const LONG = 1000

const isLong = (value: unknown): boolean => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length > LONG
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}

/** Whether a column has long texts or bytes, also inside lists and structs. Such a column gets no statistics. */
export const hasLongValues = (values: readonly unknown[]): boolean => values.some(isLong)
