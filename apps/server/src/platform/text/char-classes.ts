/**
 * Character classes for word segmentation, based on the property Word_Break of Unicode Standard Annex #29. Only the classes that
 * word segmentation needs are included. JavaScript regular expressions have no escape for Word_Break, so the classes are derived
 * from other properties.
 */
export const NONE = 0
export const LETTER = 1
export const NUMERIC = 2
/** `_` and similar characters, which join letters, digits and Katakana. */
export const CONNECTOR = 3
/** `:` and the middle dot, which join letters. */
export const MID_LETTER = 4
/** `,` and `;`, which join digits. */
export const MID_NUMBER = 5
/** Period and apostrophe, which join letters or digits. */
export const MID_BOTH = 6
/** Characters that belong to the preceding one: combining marks, format characters. */
export const EXTEND = 7
export const KATAKANA = 8
/** Ideographs and Hiragana. Each of these characters is a word of its own. */
export const SINGLE = 9
/** Characters of scripts without spaces between words. A run of them is one token. */
export const SOUTH_EAST = 10
export const EMOJI = 11
/** Regional indicators, two of which form a flag. */
export const FLAG = 12
/** `#` and `*`, which form an emoji with a keycap and are separators otherwise. */
export const KEYCAP_BASE = 13

const UNKNOWN = 255

const midLetter = new Set([0x3a, 0xb7, 0x387, 0x55f, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a])
const midNumber = new Set([
  0x2c, 0x3b, 0x37e, 0x589, 0x60c, 0x60d, 0x66c, 0x7f8, 0x2044, 0xfe10, 0xfe14, 0xfe50, 0xfe54, 0xff0c, 0xff1b,
])
const midBoth = new Set([0x27, 0x2e, 0x2018, 0x2019, 0x2024, 0xfe52, 0xff07, 0xff0e])
const katakanaSigns = new Set([0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x309b, 0x309c, 0x30a0, 0x30fc, 0xff70])

const properties: readonly (readonly [RegExp, number])[] = [
  [/^[\p{M}\p{Emoji_Modifier}]$/u, EXTEND],
  [/^\p{Cf}$/u, EXTEND],
  [/^\p{Pc}$/u, CONNECTOR],
  [/^\p{Nd}$/u, NUMERIC],
  [/^[\p{Ideographic}\p{Script=Hiragana}]$/u, SINGLE],
  [/^\p{Script=Katakana}$/u, KATAKANA],
  [
    /^[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]&&\p{L}]$/v,
    SOUTH_EAST,
  ],
  [/^\p{Alphabetic}$/u, LETTER],
  [/^\p{Regional_Indicator}$/u, FLAG],
  [/^\p{Extended_Pictographic}$/u, EMOJI],
]

const compute = (code: number): number => {
  // By its category, the zero width space is a format character, but it separates words.
  if (code === 0x200b || code === 0) return NONE
  if (midLetter.has(code)) return MID_LETTER
  if (midNumber.has(code)) return MID_NUMBER
  if (midBoth.has(code)) return MID_BOTH
  if (code === 0x202f) return CONNECTOR
  if (code === 0x23 || code === 0x2a) return KEYCAP_BASE
  if (katakanaSigns.has(code)) return KATAKANA
  const char = String.fromCodePoint(code)
  for (const [pattern, found] of properties) if (pattern.test(char)) return found
  return NONE
}

/**
 * The class of each character in the Basic Multilingual Plane, computed when the character first occurs. Lone surrogates are
 * `NONE`.
 */
const plane = new Uint8Array(0x10000).fill(UNKNOWN)
for (let code = 0; code < 0x80; code++) plane[code] = compute(code)
const beyond = new Map<number, number>()

/** The class of a code point. Lone surrogates separate words. */
export const classOf = (code: number): number => {
  if (code < 0x10000) {
    const known = plane[code]!
    if (known !== UNKNOWN) return known
    const found = code >= 0xd800 && code <= 0xdfff ? NONE : compute(code)
    plane[code] = found
    return found
  }
  const known = beyond.get(code)
  if (known !== undefined) return known
  const found = compute(code)
  beyond.set(code, found)
  return found
}
