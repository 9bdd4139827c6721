import { withoutUnreadSigns } from '@postil/contract/wire/unread-signs.ts'
import { wordSegmenter } from './segmenters.ts'
import type { Range } from './words.ts'
import { wordAt } from './words.ts'

/** What to look for in a text: the words of a phrase in order, or one word; a prefix stands for every word that begins with it. */
type Wanted = { readonly words: readonly string[]; readonly isPhrase: boolean; readonly isPrefix: boolean }

/** More marks than these show nothing more. */
const most = 1000

const token = /(-?)(?:"([^"]*)"?|([^\s"|+()]+))/gu
const operators = /~\d*$/u

/** What is a word by itself for a search, whatever stands beside it, and what belongs to it all the same. */
const alone = /^[\p{Ideographic}\p{Script=Hiragana}\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const goesOn = /^[\p{M}\p{Emoji_Modifier}\u200d]/u
const eachAlone = /[\p{Ideographic}\p{Script=Hiragana}]\p{M}*|[^\p{Ideographic}\p{Script=Hiragana}]+/gu
/** Words of scripts that write no blanks between them. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*$/u

const wordsOf = (text: string): string[] =>
  [...wordSegmenter().segment(text)].flatMap(({ segment, isWordLike }) => {
    if (isWordLike) return segment.toLowerCase().match(eachAlone) ?? []
    return alone.test(segment) ? [segment] : []
  })

/** The words of a query that a found text must have: no operators, nothing that is excluded. */
const wantedOf = (query: string): Wanted[] =>
  [...query.matchAll(token)].flatMap(([, minus, phrase, bare]) => {
    if (minus) return []
    const source = phrase ?? bare!.replace(operators, '')
    const isPhrase = phrase !== undefined
    const words = wordsOf(source)
    if (words.length === 0) return []
    return [{ words, isPhrase, isPrefix: !isPhrase && source.endsWith('*') }]
  })

/** Either apostrophe is one for a search. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/['’]/gu, "['’]")

const patternOf = (words: readonly string[]): RegExp => {
  const pieces = words.map((word, index) => {
    const before = words[index - 1]
    if (before === undefined) return escaped(word)
    const mayTouch = alone.test(word) || alone.test(before) || unspaced.test(before)
    return String.raw`[^\p{L}\p{N}]${mayTouch ? '*' : '+'}${escaped(word)}`
  })
  return new RegExp(pieces.join(''), 'giu')
}

const rangesOf = (text: string, { words, isPrefix }: Wanted): Range[] => {
  const startsAlone = alone.test(words[0]!)
  const endsAlone = alone.test(words.at(-1)!)
  const found: Range[] = []
  for (const { index: start, 0: match } of text.matchAll(patternOf(words))) {
    const end = start + match.length
    const last = endsAlone ? null : wordAt(text, end - 1)
    if (!startsAlone && wordAt(text, start)?.start !== start) continue
    if (endsAlone ? goesOn.test(text.slice(end, end + 2)) : !last || !(isPrefix || last.end === end)) continue
    found.push({ start, end: isPrefix && last ? last.end : end })
    if (found.length === most) break
  }
  return found
}

/** Of a word that a search takes for several, which may stand anywhere, each is marked where they do not stand together. */
const marksOf = (text: string, wanted: Wanted): Range[] => {
  const together = rangesOf(text, wanted)
  if (together.length > 0 || wanted.isPhrase || wanted.words.length === 1) return together
  return wanted.words.flatMap((word, index) =>
    rangesOf(text, { ...wanted, words: [word], isPrefix: wanted.isPrefix && index === wanted.words.length - 1 }),
  )
}

/** Characters that are one when they are composed: a letter and its accents, or the parts of a syllable. */
const parts = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]?[\u11a8-\u11ff\ud7cb-\ud7fb]?|\P{M}\p{M}*|\p{M}+/gsu

/** As the server's search sees it. */
const composedOf = (text: string): string => withoutUnreadSigns(text).normalize('NFC')

/** Marks in a text with signs that are not read, or whose accents stand by themselves: they are looked for in the composed one. */
const marksInParts = (text: string, find: (composed: string) => readonly Range[]): Range[] => {
  let composed = ''
  const starts: number[] = []
  for (const { index, 0: part } of text.matchAll(parts)) {
    const one = composedOf(part)
    for (let unit = 0; unit < one.length; unit += 1) starts.push(one.length === part.length ? index + unit : index)
    composed += one
  }
  starts.push(text.length)
  return find(composed).map(({ start, end }) => ({ start: starts[start]!, end: starts[end]! }))
}

/** Where a text search has found its words in `text`, in UTF-16 offsets, ascending; at most 1,000. */
export const searchMarks = (text: string, query: string): Range[] => {
  const wanted = wantedOf(composedOf(query))
  const find = (composed: string): Range[] => wanted.flatMap((one) => marksOf(composed, one))
  const found = composedOf(text) === text ? find(text) : marksInParts(text, find)
  return found.sort((a, b) => a.start - b.start).slice(0, most)
}
