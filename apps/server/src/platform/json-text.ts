const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether an odd number of backslashes precedes a position, so that the byte there is escaped. */
export const isEscapedAt = (bytes: Uint8Array, from: number, at: number): boolean => {
  let first = at
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

/**
 * The position of the quote that closes a JSON string, or the number of bytes if the string isn't closed. Strings make up most of
 * a JSON file, and `indexOf` searches them many times faster than a loop.
 * @param from the position after the opening quote
 */
export const closingQuoteAt = (bytes: Uint8Array, from: number, quote = QUOTE): number => {
  for (let at = from; ; ) {
    const end = bytes.indexOf(quote, at)
    if (end === -1) return bytes.length
    if (!isEscapedAt(bytes, at, end)) return end
    at = end + 1
  }
}
