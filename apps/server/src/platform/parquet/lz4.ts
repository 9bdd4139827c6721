const broken = (): never => {
  throw new Error('an LZ4-compressed page is corrupt')
}

/** Decompresses one LZ4 block, as in Parquet's LZ4_RAW codec. See the LZ4 block format description, version 1.6. */
export const unpackLz4 = (input: Uint8Array, length: number): Uint8Array => {
  const output = new Uint8Array(length)
  let from = 0
  let to = 0
  /** Reads a length. If the nibble is 15, the length continues in further bytes, up to the first that is not 255. */
  const whole = (nibble: number): number => {
    let sum = nibble
    for (let more = nibble === 15; more; ) {
      const byte = input[from++] ?? broken()
      sum += byte
      more = byte === 255
    }
    return sum
  }
  while (from < input.length) {
    const token = input[from++] ?? broken()
    const literals = whole(token >> 4)
    if (from + literals > input.length || to + literals > length) broken()
    output.set(input.subarray(from, from + literals), to)
    from += literals
    to += literals
    if (from === input.length) break
    const distance = (input[from] ?? broken()) | ((input[from + 1] ?? broken()) << 8)
    from += 2
    const match = whole(token & 15) + 4
    if (distance === 0 || distance > to || to + match > length) broken()
    // A match may overlap its own output, so the bytes are copied one by one.
    for (let i = 0; i < match; i += 1, to += 1) output[to] = output[to - distance] ?? 0
  }
  return to === length ? output : broken()
}
