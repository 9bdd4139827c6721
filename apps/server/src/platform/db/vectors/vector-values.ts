/** The numbers of a vector as they were sent, as the bytes that are kept for reading back. */
export const packVector = (values: readonly number[]): Uint8Array => new Uint8Array(new Float64Array(values).buffer)

/** The numbers that `packVector` packed. */
export const unpackVector = (bytes: Uint8Array): number[] => [...viewVector(bytes)]

/** As `unpackVector`, without a list. */
export const viewVector = (bytes: Uint8Array): Float64Array => {
  // NOTE: drivers hand out bytes at any place of a larger buffer, numbers must lie at a multiple of 8
  if (bytes.byteOffset % 8 === 0) return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  return new Float64Array(bytes.slice().buffer)
}

/**
 * The vector scaled to length 1. Similarity looks at directions only; what is compared fits float32 whatever was sent.
 * All zeros stay zeros: they have no direction, and writers refuse them.
 */
export const toUnit = (values: ArrayLike<number>): Float64Array => {
  let largest = 0
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!))
  const unit = new Float64Array(values.length)
  if (largest === 0) return unit
  let square = 0
  for (let i = 0; i < values.length; i++) {
    unit[i] = values[i]! / largest
    square += unit[i]! ** 2
  }
  const length = Math.sqrt(square)
  for (let i = 0; i < unit.length; i++) unit[i]! /= length
  return unit
}

/** Cosine of the angle between two vectors of length 1, −1 to 1. */
export const cosine = (a: Float64Array, b: Float64Array): number => {
  let dot = 0
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!
  return Math.max(-1, Math.min(1, dot))
}
