import { createHash } from 'node:crypto'
import { fold, tokenize } from '#platform/text/tokens.ts'

/** A note with the record that it is about. */
export type Note = { readonly seq: number; readonly text: string }

/** A wording: notes with the same words. */
type Wording = {
  readonly text: string
  readonly words: readonly string[]
  readonly first: number
  count: number
  readonly seqs: number[]
}

export type Group = {
  readonly key: string
  /** The most frequent note. */
  readonly text: string
  readonly notes: number
  /** The records, in ascending order. */
  readonly seqs: readonly number[]
  /** The most frequent notes, each with a record. */
  readonly examples: readonly { readonly text: string; readonly seq: number }[]
  /** The distinct words of all notes. */
  readonly words: readonly string[]
}

/** The minimum similarity for a note to join a group, as the Jaccard index of their words. */
const LEAST_SIMILARITY = 0.5
/** The maximum number of groups that a note is compared with. Limits the work if many notes share their rarest words. */
const MAX_CANDIDATES = 200
const MAX_EXAMPLES = 5

/** Groups notes that consist of the same words in any order. A note without words is compared as a whole. */
export const wordingsOf = (notes: readonly Note[]): readonly Wording[] => {
  const found = new Map<string, Wording>()
  for (const [first, { seq, text }] of notes.entries()) {
    const words = [...new Set(tokenize(text))].sort()
    if (words.length === 0) words.push(fold(text.trim()))
    const key = words.join(' ')
    const wording = found.get(key) ?? { text: text.trim(), words, first, count: 0, seqs: [] }
    wording.count += 1
    wording.seqs.push(seq)
    found.set(key, wording)
  }
  return [...found.values()].sort((a, b) => b.count - a.count || a.first - b.first)
}

const similarity = (a: ReadonlySet<string>, b: readonly string[]): number => {
  let common = 0
  for (const word of b) if (a.has(word)) common += 1
  return common / (a.size + b.length - common)
}

type Forming = { readonly words: ReadonlySet<string>; readonly wordings: Wording[] }

/** Builds a group from wordings. The first wording must be the most frequent one. */
export const groupOf = (wordings: readonly Wording[]): Group => ({
  key: createHash('sha256')
    .update((wordings[0]?.words ?? []).join(' '))
    .digest('hex')
    .slice(0, 16),
  text: wordings[0]?.text ?? '',
  notes: wordings.reduce((sum, { count }) => sum + count, 0),
  seqs: [...new Set(wordings.flatMap(({ seqs }) => seqs))].sort((a, b) => a - b),
  examples: wordings.slice(0, MAX_EXAMPLES).map(({ text, seqs: [seq = 0] }) => ({ text, seq })),
  words: [...new Set(wordings.flatMap(({ words }) => words))],
})

const candidatesFor = (words: readonly string[], byWord: ReadonlyMap<string, readonly Forming[]>): ReadonlySet<Forming> => {
  const candidates = new Set<Forming>()
  for (const word of words) {
    for (const group of byWord.get(word) ?? []) {
      if (candidates.size >= MAX_CANDIDATES) return candidates
      candidates.add(group)
    }
  }
  return candidates
}

/** The most similar group, or null if none is similar enough. */
const mostSimilar = (candidates: ReadonlySet<Forming>, { words }: Wording): Forming | null => {
  let [best, highest]: [Forming | null, number] = [null, 0]
  for (const group of candidates) {
    const score = similarity(group.words, words)
    if (score >= LEAST_SIMILARITY && score > highest) [best, highest] = [group, score]
  }
  return best
}

/**
 * Groups notes that share at least half of their words, the largest group first. Frequent wordings become the first groups, and
 * each other wording joins the most similar group. Two wordings that are similar enough share at least one of their rarest words
 * (prefix filter: Bayardo et al., 2007, Scaling up all pairs similarity search), so only groups with such a word are compared.
 */
export const groupNotes = (notes: readonly Note[]): readonly Group[] => {
  const wordings = wordingsOf(notes)
  const frequency = new Map<string, number>()
  for (const { words } of wordings) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const frequencyOf = (word: string): number => frequency.get(word) ?? 0
  const rarestOf = (words: readonly string[]): readonly string[] =>
    words
      .toSorted((a, b) => frequencyOf(a) - frequencyOf(b) || (a < b ? -1 : 1))
      .slice(0, words.length - Math.ceil(LEAST_SIMILARITY * words.length) + 1)
  const groups: Forming[] = []
  const byWord = new Map<string, Forming[]>()
  for (const wording of wordings) {
    const rarest = rarestOf(wording.words)
    const similar = mostSimilar(candidatesFor(rarest, byWord), wording)
    if (similar !== null) {
      similar.wordings.push(wording)
      continue
    }
    const group = { words: new Set(wording.words), wordings: [wording] }
    groups.push(group)
    for (const word of rarest)
      byWord
        .set(word, byWord.get(word) ?? [])
        .get(word)
        ?.push(group)
  }
  return groups
    .map(({ wordings: all }) => groupOf(all))
    .sort((a, b) => b.seqs.length - a.seqs.length || b.notes - a.notes || (a.key < b.key ? -1 : 1))
}
