/** Letters and digits, excluding those that look alike: l, I, 1, O, 0. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/**
 * Returns a password that is easy to read out: `length` letters and digits from the browser's random source, all equally
 * likely.
 */
export const makePassword = (length = 16): string => {
  let made = ''
  while (made.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Skips the bytes beyond the last full multiple of the alphabet's length, because they would make the alphabet's first
      // letters more likely.
      if (byte < 256 - (256 % letters.length) && made.length < length) made += letters[byte % letters.length]
    }
  }
  return made
}
