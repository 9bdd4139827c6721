import { wordSegmenter } from './segmenters.ts'
import type { Range } from './words.ts'
import { wordAt } from './words.ts'

/** What to look for in a text: the words of a phrase in order, or one word; a prefix stands for every word that begins with it. */
type Wanted = { readonly words: readonly string[]; readonly isPrefix: boolean }

/** More marks than these show nothing more. */
const most = 1000

const token = /(-?)(?:"([^"]*)"?|([^\s"|+()]+))/gu
const operators = /~\d*$/u

const wordsOf = (text: string): string[] =>
  [...wordSegmenter().segment(text)].flatMap((s) => (s.isWordLike ? [s.segment.toLowerCase()] : []))

/** The words of a query that a found text must have: no operators, nothing that is excluded. */
const wantedOf = (query: string): Wanted[] =>
  [...query.matchAll(token)].flatMap(([, minus, phrase, bare]) => {
    if (minus) return []
    const source = phrase ?? bare!.replace(operators, '')
    const isPrefix = phrase === undefined && source.endsWith('*')
    const words = wordsOf(source)
    if (words.length === 0) return []
    return [{ words, isPrefix }]
  })

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const isWhole = (text: string, at: number, length: number, isPrefix: boolean): boolean => {
  const first = wordAt(text, at)
  const last = wordAt(text, at + length - 1)
  return first?.start === at && last !== null && (isPrefix || last.end === at + length)
}

const rangesOf = (text: string, { words, isPrefix }: Wanted): Range[] => {
  const pattern = new RegExp(words.map(escaped).join(String.raw`[^\p{L}\p{N}]+`), 'giu')
  const found: Range[] = []
  for (const match of text.matchAll(pattern)) {
    if (!isWhole(text, match.index, match[0].length, isPrefix)) continue
    const end = isPrefix ? wordAt(text, match.index + match[0].length - 1)!.end : match.index + match[0].length
    found.push({ start: match.index, end })
    if (found.length === most) break
  }
  return found
}

/** Where a text search has found its words in `text`, in UTF-16 offsets, ascending; at most 1,000. */
export const searchMarks = (text: string, query: string): Range[] =>
  wantedOf(query)
    .flatMap((wanted) => rangesOf(text, wanted))
    .sort((a, b) => a.start - b.start)
    .slice(0, most)
