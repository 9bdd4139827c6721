import { createHash } from 'node:crypto'
import { withoutIgnoredCharacters } from '@postil/contract/wire/ignored-characters.ts'
import {
  CONNECTOR,
  classOf,
  EMOJI,
  EXTEND,
  FLAG,
  KATAKANA,
  KEYCAP_BASE,
  LETTER,
  MID_BOTH,
  MID_LETTER,
  MID_NUMBER,
  NONE,
  NUMERIC,
  SINGLE,
  SOUTH_EAST,
} from './char-classes.ts'

/**
 * Version of the tokenizer. Every change to tokenization must increase it. An index built with another version is rebuilt in
 * the background.
 */
export const TOKENIZER_VERSION = 3

/** Maximum number of UTF-8 bytes in a token. `canonicalToken` shortens longer ones. */
export const MAX_TOKEN_BYTES = 255
const MAX_STORED_BYTES = 200

/**
 * For each pair of character classes, indexed as `class before × class after`: whether two neighboring characters of these
 * classes belong to the same word (rules WB5 to WB13b).
 */
const joins = new Uint8Array(16 * 16)
for (const [before, after] of [
  [LETTER, LETTER],
  [LETTER, NUMERIC],
  [LETTER, CONNECTOR],
  [NUMERIC, LETTER],
  [NUMERIC, NUMERIC],
  [NUMERIC, CONNECTOR],
  [KATAKANA, KATAKANA],
  [KATAKANA, CONNECTOR],
  [CONNECTOR, LETTER],
  [CONNECTOR, NUMERIC],
  [CONNECTOR, KATAKANA],
  [CONNECTOR, CONNECTOR],
  [SOUTH_EAST, SOUTH_EAST],
] as const)
  joins[before * 16 + after] = 1

/**
 * Returns the class that the characters on both sides of `middle` must have so that `middle` joins them into one word. Returns 0
 * if `middle` doesn't join characters after a character of the class `before`.
 */
const bridged = (middle: number, before: number): number => {
  if (before === LETTER && (middle === MID_LETTER || middle === MID_BOTH)) return LETTER
  if (before === NUMERIC && (middle === MID_NUMBER || middle === MID_BOTH)) return NUMERIC
  return NONE
}

const codeAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff ? text.codePointAt(at)! : unit
}
const width = (code: number): number => (code > 0xffff ? 2 : 1)

/** Skips the characters from position `from` that extend the character before it. Returns the position after them. */
const skipExtend = (text: string, from: number): number => {
  let at = from
  while (at < text.length) {
    const code = codeAt(text, at)
    if (classOf(code) !== EXTEND) return at
    at += width(code)
  }
  return at
}

/** The end of a pictograph that starts before `from`, including everything that a zero width joiner attaches to it (WB3c). */
const emojiEnd = (text: string, from: number): number => {
  let at = skipExtend(text, from)
  while (at < text.length && text.charCodeAt(at - 1) === 0x200d) {
    const code = codeAt(text, at)
    if (classOf(code) !== EMOJI) return at
    at = skipExtend(text, at + width(code))
  }
  return at
}

const flagEnd = (text: string, from: number): number => {
  const at = skipExtend(text, from)
  if (at >= text.length) return at
  const code = codeAt(text, at)
  return classOf(code) === FLAG ? skipExtend(text, at + width(code)) : at
}

/** The end of a keycap emoji whose first character ends at `from`. Negative if there is no keycap. */
const keycapEnd = (text: string, from: number): number => {
  const at = text.charCodeAt(from) === 0xfe0f ? from + 1 : from
  return text.charCodeAt(at) === 0x20e3 ? skipExtend(text, at + 1) : -from
}

/**
 * The position at which a word continues after a joining character: the start of the next character if its class is `wanted`,
 * otherwise −1.
 */
const behindBridge = (text: string, at: number, wanted: number): number => {
  const next = skipExtend(text, at)
  return next < text.length && classOf(codeAt(text, next)) === wanted ? next : -1
}

/** The end of the word whose first character has class `first` and ends at `from`. Negative if the word contains only `_`. */
const wordEnd = (text: string, from: number, first: number): number => {
  let last = first
  let content = first !== CONNECTOR
  let at = from
  while (at < text.length) {
    const code = codeAt(text, at)
    const kind = classOf(code)
    if (kind === EXTEND) {
      at += width(code)
    } else if (joins[last * 16 + kind] === 1) {
      last = kind
      content ||= kind !== CONNECTOR
      at += width(code)
    } else {
      const wanted = bridged(kind, last)
      if (wanted === NONE) break
      const next = behindBridge(text, at + width(code), wanted)
      if (next < 0) break
      at = next
    }
  }
  return content ? at : -at
}

/**
 * Removes differences that don't matter for tokens: invisible formatting characters, canonical equivalence (NFC), case, the
 * final sigma, the dot of a capital İ and the curly apostrophe. Accents are kept.
 */
export const fold = (text: string): string => {
  let folded = text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: tests for plain ASCII, which normalization does not change
  if (/[^\x00-\x7f]/.test(text)) folded = withoutIgnoredCharacters(text).normalize('NFC').replaceAll('’', "'")
  if (folded.includes('İ')) folded = folded.replaceAll('İ', 'i').normalize('NFC')
  folded = folded.toLowerCase()
  return folded.includes('ς') ? folded.replaceAll('ς', 'σ') : folded
}

/**
 * The form in which a token is indexed and compared. A token of up to 255 UTF-8 bytes is unchanged. A longer one becomes its
 * first 200 bytes (cut between characters), `~` and 128 bits of its SHA-256, so that it can be found as a whole or by a prefix
 * of at most 200 bytes.
 */
export const canonicalToken = (token: string): string => {
  if (token.length * 3 <= MAX_TOKEN_BYTES) return token
  const bytes = Buffer.from(token, 'utf8')
  if (bytes.length <= MAX_TOKEN_BYTES) return token
  let end = MAX_STORED_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return `${bytes.toString('utf8', 0, end)}~${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
}

/**
 * Returns the end of a token. The result is negative if the characters aren't a token.
 * @param from the end of the token's first character
 * @param kind the class of the token's first character
 */
const tokenEnd = (text: string, from: number, kind: number): number => {
  if (kind === SINGLE) return skipExtend(text, from)
  if (kind === EMOJI) return emojiEnd(text, from)
  if (kind === FLAG) return flagEnd(text, from)
  if (kind === KEYCAP_BASE) return keycapEnd(text, from)
  return wordEnd(text, from, kind)
}

const startsToken = new Uint8Array(16)
for (const kind of [LETTER, NUMERIC, CONNECTOR, KATAKANA, SINGLE, SOUTH_EAST, EMOJI, FLAG, KEYCAP_BASE]) startsToken[kind] = 1

/** How `tokenizeInto`'s fast path treats ASCII: 1 always separates, 2 is a letter or digit, 0 needs the rules. */
const plain = new Uint8Array(0x10000)
for (let code = 0; code < 0x80; code++) {
  const kind = classOf(code)
  plain[code] = kind === NONE ? 1 : kind === LETTER || kind === NUMERIC ? 2 : 0
}

/**
 * If a run of plain letters and digits starts at `at`, and no rule can extend this run, returns the end of the run. Otherwise,
 * returns `at`. Also returns `at` if the run is too long to be stored.
 */
const plainWordEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && plain[text.charCodeAt(end)] === 2) end += 1
  return end - at <= MAX_STORED_BYTES && (end === text.length || plain[text.charCodeAt(end)] === 1) ? end : at
}

/** Appends the token that starts at `at`, if there is one. Returns the position at which to continue. */
const ruledToken = (out: string[], text: string, at: number): number => {
  const code = codeAt(text, at)
  const kind = classOf(code)
  const next = at + width(code)
  if (startsToken[kind] === 0) return next
  const end = tokenEnd(text, next, kind)
  if (end > 0) out.push(canonicalToken(text.slice(at, end)))
  return Math.abs(end)
}

/** Appends the tokens of `text` to `out` in order. A token's index is its position. */
export const tokenizeInto = (out: string[], text: string): void => {
  const folded = fold(text)
  const length = folded.length
  let at = 0
  while (at < length) {
    // Nearly all text consists of ASCII words between separators. Such words are found without segmentation rules.
    while (at < length && plain[folded.charCodeAt(at)] === 1) at += 1
    if (at === length) return
    const end = plainWordEnd(folded, at)
    if (end > at) {
      out.push(folded.slice(at, end))
      at = end
    } else at = ruledToken(out, folded, at)
  }
}

export const tokenize = (text: string): string[] => {
  const out: string[] = []
  tokenizeInto(out, text)
  return out
}

/** The positions at which the tokens of a folded text start, ascending. */
const tokenStarts = (folded: string): Set<number> => {
  const starts = new Set<number>()
  for (let at = 0; at < folded.length; ) {
    const code = codeAt(folded, at)
    const kind = classOf(code)
    const next = at + width(code)
    const end = startsToken[kind] === 1 ? tokenEnd(folded, next, kind) : -next
    if (end > 0) starts.add(at)
    at = Math.abs(end)
  }
  return starts
}

/** Whether the character at `at` can occur only in words. */
const isInWord = (folded: string, at: number): boolean => {
  if (at < 0 || at >= folded.length) return false
  const unit = folded.charCodeAt(at)
  const kind = classOf(unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? folded.codePointAt(at - 1)! : codeAt(folded, at))
  return kind !== KEYCAP_BASE && (startsToken[kind] === 1 || kind === EXTEND)
}

/** The beginning of a word, as the user typed it in a search. May contain punctuation. */
export type Beginning = {
  /** Folded. */
  readonly text: string
  /**
   * The index in `text` at which the first token starts. If punctuation precedes the token, a matching word must start with this
   * punctuation.
   */
  readonly lead: number
  /** True if the text ends with punctuation. A word then matches only if it continues after this punctuation. */
  readonly mustContinue: boolean
}

/** @param text contains at least one token */
export const beginningOf = (text: string): Beginning => {
  const folded = fold(text)
  const [lead = 0] = tokenStarts(folded)
  return { text: folded, lead, mustContinue: !isInWord(folded, folded.length - 1) }
}

/** Whether a word in a text starts with the given beginning. If the beginning has punctuation, the word must have it too. */
export const hasBeginning = (text: string, { text: beginning, lead, mustContinue }: Beginning): boolean => {
  const folded = fold(text)
  let at = folded.indexOf(beginning)
  if (at < 0) return false
  const starts = tokenStarts(folded)
  for (; at >= 0; at = folded.indexOf(beginning, at + 1)) {
    const startsWord = starts.has(at + lead) && (lead === 0 || !isInWord(folded, at - 1))
    if (startsWord && (!mustContinue || isInWord(folded, at + beginning.length))) return true
  }
  return false
}
