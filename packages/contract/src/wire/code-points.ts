/** Lengths and offsets on the wire count Unicode code points; JavaScript strings count UTF-16 units. */

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Number of code points; a lone surrogate counts as one. */
export const codePointLength = (text: string): number => {
  let pairs = 0
  for (let i = 1; i < text.length; i += 1) {
    if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) pairs += 1
  }
  return text.length - pairs
}

/** True when `text` has at most `max` code points; looks at the text only when the UTF-16 length leaves it open. */
export const isAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && codePointLength(text) <= max)

/** True when `text` has at least `min` code points. */
export const isAtLeast = (text: string, min: number): boolean =>
  text.length >= min * 2 || (text.length >= min && codePointLength(text) >= min)

/** True for text that no store and no other language would carry unchanged: NUL or half of a surrogate pair. */
export const hasUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()
