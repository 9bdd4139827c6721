import { characterSegmenter, wordSegmenter } from './segmenters.ts'

/** A range of UTF-16 offsets. */
export type Range = { readonly start: number; readonly end: number }
type Segment = Range & { readonly isWord: boolean }

const windowSize = 4096
const blankWithin = 512

const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
/** Characters that join the preceding character. If one follows a space, there is no character boundary between the two. */
const joinsPrevious = /^[\p{M}\p{Cf}]/u

/**
 * Returns the position after the next space. A cut at this position splits neither a word nor a character. If no space is near,
 * returns `from`. If that is inside a surrogate pair, returns the position before the pair.
 */
const afterBlank = (text: string, from: number): number => {
  for (let i = from; i < Math.min(text.length, from + blankWithin); i += 1) {
    if (/\s/u.test(text[i]!) && !joinsPrevious.test(text.slice(i + 1, i + 3))) return i + 1
  }
  return isLowHalf(text.charCodeAt(from)) ? from - 1 : from
}

/**
 * Returns the range of the paragraph around an offset. If the paragraph is long, returns only a part of it around the offset. The
 * search for the ends of the paragraph is limited, because a paragraph can be a megabyte long.
 */
const windowAround = (text: string, at: number): Range => {
  const furthest = windowSize + blankWithin
  const before = text.slice(Math.max(0, at - furthest), at).lastIndexOf('\n')
  const after = text.slice(at, at + windowSize).indexOf('\n')
  const start = before >= 0 ? Math.max(0, at - furthest) + before + 1 : at <= furthest ? 0 : null
  const end = after >= 0 ? at + after + 1 : at + windowSize >= text.length ? text.length : null
  return { start: start ?? afterBlank(text, at - furthest), end: end ?? afterBlank(text, at + windowSize) }
}

/** Returns the segment that contains the UTF-16 unit at `at`, or null outside the text. */
const segmentAt = (segmenter: Intl.Segmenter, text: string, at: number): Segment | null => {
  if (at < 0 || at >= text.length) return null
  const { start, end } = windowAround(text, at)
  const found = segmenter.segment(text.slice(start, end)).containing(at - start)
  if (!found) return null
  const from = start + found.index
  return { start: from, end: from + found.segment.length, isWord: found.isWordLike === true }
}

/** Returns the word at an offset, or null at a space or symbol. Digits belong to words. */
export const wordAt = (text: string, at: number): Range | null => {
  const segment = segmentAt(wordSegmenter(), text, at)
  return segment?.isWord ? { start: segment.start, end: segment.end } : null
}

/** Trims spaces at both ends of a range. Returns null if the range contains only spaces. */
export const trimBlanks = (text: string, { start, end }: Range): Range | null => {
  const inside = text.slice(start, end)
  const trimmed = { start: start + inside.length - inside.trimStart().length, end: end - inside.length + inside.trimEnd().length }
  return trimmed.start < trimmed.end ? trimmed : null
}

/** Widens a selection so that it splits no character: no surrogate pair, no letter and its accent, no joined emoji. */
export const widenToCharacters = (text: string, { start, end }: Range): Range => {
  const last = segmentAt(characterSegmenter(), text, end - 1)
  return { start: segmentAt(characterSegmenter(), text, start)?.start ?? start, end: start < end && last ? last.end : end }
}

/**
 * Widens a selection to the words that it touches, and trims spaces. Symbols stay as selected. Returns null if the selection
 * contains only spaces.
 */
export const widenToWords = (text: string, selected: Range): Range | null => {
  const trimmed = trimBlanks(text, selected)
  if (!trimmed) return null
  const { start, end } = widenToCharacters(text, trimmed)
  return { start: wordAt(text, start)?.start ?? start, end: wordAt(text, end - 1)?.end ?? end }
}

/** Returns the offset one character after `at`. */
export const nextCharacter = (text: string, at: number): number => segmentAt(characterSegmenter(), text, at)?.end ?? text.length

/** Returns the offset one character before `at`. */
export const previousCharacter = (text: string, at: number): number => segmentAt(characterSegmenter(), text, at - 1)?.start ?? 0

/** Returns the end of the word at or after `at`, or the end of the text. */
export const nextWord = (text: string, at: number): number => {
  let segment = segmentAt(wordSegmenter(), text, at)
  while (segment && !segment.isWord) segment = segmentAt(wordSegmenter(), text, segment.end)
  return segment?.end ?? text.length
}

/** Returns the start of the word before `at`, or 0. */
export const previousWord = (text: string, at: number): number => {
  let segment = segmentAt(wordSegmenter(), text, at - 1)
  while (segment && !segment.isWord) segment = segmentAt(wordSegmenter(), text, segment.start - 1)
  return segment?.start ?? 0
}
