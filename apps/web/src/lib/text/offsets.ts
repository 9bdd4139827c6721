/**
 * Converts offsets. Offsets on the wire count Unicode code points; strings, the DOM and the selection count UTF-16 units. A
 * lone surrogate counts as one code point, as on the server.
 */
export type Offsets = {
  /** Length in code points. */
  readonly length: number
  /** Returns the UTF-16 offset at which the code point `codePoint` starts, clamped to the text. */
  readonly toUnit: (codePoint: number) => number
  /**
   * Returns the number of code points before the UTF-16 offset `unit`. An offset inside a surrogate pair is treated as an
   * offset before the pair.
   */
  readonly toCodePoint: (unit: number) => number
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Returns the UTF-16 offsets of the low half of every surrogate pair, ascending. */
const lowHalves = (text: string): readonly number[] => {
  const found: number[] = []
  for (let i = 1; i < text.length; i += 1) {
    if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) found.push(i)
  }
  return found
}

/** Returns how many of the ascending `numbers` are below `limit`. */
const countBelow = (numbers: readonly number[], limit: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value))

const identity = (length: number): Offsets => ({
  length,
  toUnit: (codePoint) => clamp(codePoint, length),
  toCodePoint: (unit) => clamp(unit, length),
})

/**
 * Returns the functions that convert offsets in a string between UTF-16 code units and code points. Reads the string once, in
 * linear time. Each conversion is a binary search over the string's surrogate pairs.
 */
export const offsetsOf = (text: string): Offsets => {
  const halves = lowHalves(text)
  if (halves.length === 0) return identity(text.length)
  const length = text.length - halves.length
  // The code point index of each surrogate pair. Each earlier pair takes up two units but is only one code point, so the number
  // of earlier pairs is subtracted from the pair's offset.
  const pairs = halves.map((at, before) => at - 1 - before)
  return {
    length,
    toUnit: (codePoint) => {
      const at = clamp(codePoint, length)
      return at + countBelow(pairs, at)
    },
    toCodePoint: (unit) => {
      const at = clamp(unit, text.length)
      // An offset between the two halves of a surrogate pair is inside the pair. In that case, `at` is in `halves`, and the pair
      // isn't counted.
      const passed = countBelow(halves, at)
      return halves[passed] === at ? at - 1 - passed : at - passed
    },
  }
}
