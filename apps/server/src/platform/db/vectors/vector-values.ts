/** Packs a vector's original numbers into bytes for storage. */
export const packVector = (values: readonly number[]): Uint8Array => new Uint8Array(new Float64Array(values).buffer)

/** Unpacks the output of `packVector`. */
export const unpackVector = (bytes: Uint8Array): number[] => [...viewVector(bytes)]

/** Like `unpackVector`, without creating an array. */
export const viewVector = (bytes: Uint8Array): Float64Array => {
  // Drivers return bytes at any offset of a larger buffer, but numbers must be aligned to 8 bytes.
  if (bytes.byteOffset % 8 === 0) return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  return new Float64Array(bytes.slice().buffer)
}

/**
 * Scales a vector to length 1. Similarity depends only on the direction, and the result fits float32 for any input. A zero
 * vector stays zero: it has no direction, and writers reject it.
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

/** Cosine of the angle between two vectors of length 1, from −1 to 1. */
export const cosine = (a: Float64Array, b: Float64Array): number => {
  let dot = 0
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!
  return Math.max(-1, Math.min(1, dot))
}
