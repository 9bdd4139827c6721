import { characterSegmenter, wordSegmenter } from './segmenters.ts'

/**
 * Steps and bounds in UTF-16 offsets. A segmenter reads its text from the start, so it is only given the paragraph
 * around an offset, and of a very long paragraph a window.
 */
export type Range = { readonly start: number; readonly end: number }
type Segment = Range & { readonly isWord: boolean }

const windowSize = 4096
const blankWithin = 512

const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
/** What joins itself to the character before it, so that a blank in front of it is no end of a character. */
const joins = /^[\p{M}\p{Cf}]/u

/** The next place after a blank: neither a word nor a character is cut there. */
const afterBlank = (text: string, from: number): number => {
  for (let i = from; i < Math.min(text.length, from + blankWithin); i += 1) {
    if (/\s/u.test(text[i]!) && !joins.test(text.slice(i + 1, i + 3))) return i + 1
  }
  return isLowHalf(text.charCodeAt(from)) ? from - 1 : from
}

/** The paragraph around an offset, or a window of it. No further is looked for its ends: a megabyte may be one paragraph. */
const windowAround = (text: string, at: number): Range => {
  const furthest = windowSize + blankWithin
  const before = text.slice(Math.max(0, at - furthest), at).lastIndexOf('\n')
  const after = text.slice(at, at + windowSize).indexOf('\n')
  const start = before >= 0 ? Math.max(0, at - furthest) + before + 1 : at <= furthest ? 0 : null
  const end = after >= 0 ? at + after + 1 : at + windowSize >= text.length ? text.length : null
  return { start: start ?? afterBlank(text, at - furthest), end: end ?? afterBlank(text, at + windowSize) }
}

/** The segment that the unit at `at` belongs to; null outside the text. */
const segmentAt = (segmenter: Intl.Segmenter, text: string, at: number): Segment | null => {
  if (at < 0 || at >= text.length) return null
  const { start, end } = windowAround(text, at)
  const found = segmenter.segment(text.slice(start, end)).containing(at - start)
  if (!found) return null
  const from = start + found.index
  return { start: from, end: from + found.segment.length, isWord: found.isWordLike === true }
}

/** The word at an offset, null where there is a blank or a symbol. Digits belong to words. */
export const wordAt = (text: string, at: number): Range | null => {
  const segment = segmentAt(wordSegmenter(), text, at)
  return segment?.isWord ? { start: segment.start, end: segment.end } : null
}

/** Drops blanks at both ends; null when there is nothing else. */
export const trimBlanks = (text: string, { start, end }: Range): Range | null => {
  const inside = text.slice(start, end)
  const trimmed = { start: start + inside.length - inside.trimStart().length, end: end - inside.length + inside.trimEnd().length }
  return trimmed.start < trimmed.end ? trimmed : null
}

/** Widens a selection so that it cuts no character: neither a surrogate pair, nor a letter from its accent, nor a joined emoji. */
export const widenToCharacters = (text: string, { start, end }: Range): Range => {
  const last = segmentAt(characterSegmenter(), text, end - 1)
  return { start: segmentAt(characterSegmenter(), text, start)?.start ?? start, end: start < end && last ? last.end : end }
}

/** Widens a selection to the words it touches and drops blanks at its ends; symbols stay as selected. null for blanks alone. */
export const widenToWords = (text: string, selected: Range): Range | null => {
  const trimmed = trimBlanks(text, selected)
  if (!trimmed) return null
  const { start, end } = widenToCharacters(text, trimmed)
  return { start: wordAt(text, start)?.start ?? start, end: wordAt(text, end - 1)?.end ?? end }
}

/** The offset one character after `at`. */
export const nextCharacter = (text: string, at: number): number => segmentAt(characterSegmenter(), text, at)?.end ?? text.length

/** The offset one character before `at`. */
export const previousCharacter = (text: string, at: number): number => segmentAt(characterSegmenter(), text, at - 1)?.start ?? 0

/** The end of the word at or after `at`, the end of the text when there is none. */
export const nextWord = (text: string, at: number): number => {
  let segment = segmentAt(wordSegmenter(), text, at)
  while (segment && !segment.isWord) segment = segmentAt(wordSegmenter(), text, segment.end)
  return segment?.end ?? text.length
}

/** The start of the word before `at`, 0 when there is none. */
export const previousWord = (text: string, at: number): number => {
  let segment = segmentAt(wordSegmenter(), text, at - 1)
  while (segment && !segment.isWord) segment = segmentAt(wordSegmenter(), text, segment.start - 1)
  return segment?.start ?? 0
}
