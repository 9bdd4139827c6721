import { foldAccents } from '@postil/contract/wire/fold-accents.ts'
import { withoutIgnoredCharacters } from '@postil/contract/wire/ignored-characters.ts'
import { wordSegmenter } from './segmenters.ts'
import type { Range } from './words.ts'
import { wordAt } from './words.ts'

/**
 * The words of a quoted phrase or of an unquoted term, in order. An unquoted term can have several words, for example if it
 * contains a hyphen. A prefix matches every word that starts with it.
 */
type SearchTerm = { readonly words: readonly string[]; readonly isPrefix: boolean }

/** Maximum number of marks. More would not be useful. */
const maxMarks = 1000

const token = /(-?)(?:"([^"]*)"?|([^\s"|+()]+))/gu
const operators = /~\d*$/u

/** Characters that a search treats as words of their own, and combining characters that belong to the preceding character. */
const standaloneCharacter = /^[\p{Ideographic}\p{Script=Hiragana}\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const combiningCharacter = /^[\p{M}\p{Emoji_Modifier}\u200d]/u
const standaloneWords = /[\p{Ideographic}\p{Script=Hiragana}]\p{M}*|[^\p{Ideographic}\p{Script=Hiragana}]+/gu
/** Words in scripts that don't put spaces between words. */
const unspacedScript = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*$/u

const wordsOf = (text: string): string[] =>
  [...wordSegmenter().segment(text)].flatMap(({ segment, isWordLike }) => {
    if (isWordLike) return segment.toLowerCase().match(standaloneWords) ?? []
    return standaloneCharacter.test(segment) ? [segment] : []
  })

/** Returns the words that a match must contain, without operators and excluded words. */
const searchTermsOf = (query: string): SearchTerm[] =>
  [...query.matchAll(token)].flatMap(([, minus, phrase, bare]) => {
    if (minus) return []
    const source = phrase ?? bare!.replace(operators, '')
    const isPhrase = phrase !== undefined
    const words = wordsOf(source)
    if (words.length === 0) return []
    return [{ words, isPrefix: !isPhrase && source.endsWith('*') }]
  })

/** A search treats ' and ’ as the same character. */
const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/['’]/gu, "['’]")

const patternOf = (words: readonly string[]): RegExp => {
  const pieces = words.map((word, index) => {
    const before = words[index - 1]
    if (before === undefined) return escapePattern(word)
    const canTouch = standaloneCharacter.test(word) || standaloneCharacter.test(before) || unspacedScript.test(before)
    return String.raw`[^\p{L}\p{N}]${canTouch ? '*' : '+'}${escapePattern(word)}`
  })
  return new RegExp(pieces.join(''), 'giu')
}

const rangesOf = (text: string, { words, isPrefix }: SearchTerm): Range[] => {
  const startsAlone = standaloneCharacter.test(words[0]!)
  const endsAlone = standaloneCharacter.test(words.at(-1)!)
  const found: Range[] = []
  for (const { index: start, 0: match } of text.matchAll(patternOf(words))) {
    const end = start + match.length
    const last = endsAlone ? null : wordAt(text, end - 1)
    if (!startsAlone && wordAt(text, start)?.start !== start) continue
    if (endsAlone ? combiningCharacter.test(text.slice(end, end + 2)) : !last || !(isPrefix || last.end === end)) continue
    found.push({ start, end: isPrefix && last ? last.end : end })
    if (found.length === maxMarks) break
  }
  return found
}

/** Characters that form one character when composed: a letter and its accents, or the parts of a syllable. */
const parts = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]?[\u11a8-\u11ff\ud7cb-\ud7fb]?|\P{M}\p{M}*|\p{M}+/gsu

/** Normalizes text in the same way as the server's search. */
const composeText = (text: string): string => withoutIgnoredCharacters(text).normalize('NFC').replaceAll('İ', 'i')
const composeWithoutAccents = (text: string): string => foldAccents(composeText(text))

/**
 * Finds matches in a text that differs from its composed form. `find` searches the composed form. The returned ranges refer to
 * the original text.
 */
const marksInParts = (text: string, compose: (part: string) => string, find: (composed: string) => readonly Range[]): Range[] => {
  let composed = ''
  const starts: number[] = []
  for (const { index, 0: part } of text.matchAll(parts)) {
    const one = compose(part)
    for (let unit = 0; unit < one.length; unit += 1) starts.push(one.length === part.length ? index + unit : index)
    composed += one
  }
  starts.push(text.length)
  return find(composed).map(({ start, end }) => ({ start: starts[start]!, end: starts[end]! }))
}

/**
 * Returns the first 1,000 matches of a text search in `text`, as ascending UTF-16 ranges.
 * @param ignoresAccents whether the search ignores accents
 */
export const searchMarks = (text: string, query: string, ignoresAccents = false): Range[] => {
  const compose = ignoresAccents ? composeWithoutAccents : composeText
  const terms = searchTermsOf(compose(query))
  const find = (composed: string): Range[] => terms.flatMap((one) => rangesOf(composed, one))
  const found = compose(text) === text ? find(text) : marksInParts(text, compose, find)
  return found.sort((a, b) => a.start - b.start).slice(0, maxMarks)
}
