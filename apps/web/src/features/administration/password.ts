/** Without the ones that look like another: l, I, 1, O, 0. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password that can be read out: `length` letters and digits from the browser's source of randomness, each as likely. */
export const makePassword = (length = 16): string => {
  let made = ''
  while (made.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last whole round would make the first letters likelier.
      if (byte < 256 - (256 % letters.length) && made.length < length) made += letters[byte % letters.length]
    }
  }
  return made
}
