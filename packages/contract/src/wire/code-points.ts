/** Lengths and offsets on the wire count Unicode code points. JavaScript strings count UTF-16 code units. */

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The number of code points. A lone surrogate counts as one. */
export const codePointLength = (text: string): number => {
  let pairs = 0
  for (let i = 1; i < text.length; i += 1) {
    if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) pairs += 1
  }
  return text.length - pairs
}

/** True if `text` has at most `max` code points. Scans the text only if the UTF-16 length alone can't decide the result. */
export const isAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && codePointLength(text) <= max)

/** True if `text` has at least `min` code points. */
export const isAtLeast = (text: string, min: number): boolean =>
  text.length >= min * 2 || (text.length >= min && codePointLength(text) >= min)

/**
 * True for text that contains NUL characters or lone surrogates, which databases and other languages can't represent unchanged.
 */
export const hasUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()
