/**
 * Maximum number of words in the dataset that a fuzzy word expands to. The nearest words come first, then the most frequent,
 * then the first in sort order.
 */
const MAX_EXPANSIONS = 50

/** The code points of a word. */
const codesOf = (word: string): Uint32Array => {
  const codes = new Uint32Array(word.length)
  let length = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at)!
    if (code > 0xffff) at += 1
    codes[length++] = code
  }
  return codes.subarray(0, length)
}

/** The word's characters as a bit set, with one bit for each character code modulo 32. Different characters can share a bit. */
const signatureOf = (codes: Uint32Array): number => {
  let signature = 0
  for (const code of codes) signature |= 1 << (code & 31)
  return signature
}

const bitsIn = (word: number): number => {
  let n = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) n += 1
  return n
}

/** Rows of the distance table, reused for each comparison. */
let rows = [new Uint16Array(320), new Uint16Array(320), new Uint16Array(320)]

/**
 * The edit distance between two words: insertion, deletion, substitution and swapping of neighbors (optimal string alignment).
 * `Infinity` if it exceeds `most`.
 */
const distanceOf = (a: Uint32Array, b: Uint32Array, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  if (rows[0]!.length <= b.length) rows = rows.map(() => new Uint16Array(b.length * 2))
  let [before, above, row] = rows as [Uint16Array, Uint16Array, Uint16Array]
  for (let j = 0; j <= b.length; j++) above[j] = j
  for (let i = 1; i <= a.length; i++) {
    const from = a[i - 1]!
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (from === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && from === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > most) return Number.POSITIVE_INFINITY
    ;[before, above, row] = [above, row, before]
  }
  const distance = above[b.length]!
  return distance <= most ? distance : Number.POSITIVE_INFINITY
}

export const editDistance = (a: string, b: string, most: number): number => distanceOf(codesOf(a), codesOf(b), most)

/** A word, prepared for comparisons. */
type Letters = { readonly word: string; readonly codes: Uint32Array; readonly signature: number }

const lettersOf = (word: string): Letters => {
  const codes = codesOf(word)
  return { word, codes, signature: signatureOf(codes) }
}

/**
 * Returns the number of edits between two words, or `Infinity` if they aren't near. Words are near if the number is at most
 * `distance` and less than the length of the shorter word. Two short words with nothing in common are therefore never near.
 */
const nearness = (a: Letters, b: Letters, distance: number): number => {
  const [own, others] = [a.codes.length, b.codes.length]
  if (Math.abs(own - others) > distance) return Number.POSITIVE_INFINITY
  // One edit adds at most one new character.
  if (bitsIn(a.signature & ~b.signature) > distance || bitsIn(b.signature & ~a.signature) > distance)
    return Number.POSITIVE_INFINITY
  if (a.word === b.word) return 0
  const edits = distanceOf(a.codes, b.codes, distance)
  return edits < Math.min(own, others) ? edits : Number.POSITIVE_INFINITY
}

/** Whether a token is a role. Roles are not words. */
const isRole = (token: string): boolean => token.startsWith('=')

/** A word of a query. `distance` is the maximum number of edits by which a matching word may differ from it. */
export type FuzzyWord = { readonly token: string; readonly distance: number }

/** Returns a function that says whether another word matches the fuzzy word. */
export const isNearTo = ({ token, distance }: FuzzyWord): ((other: string) => boolean) => {
  const letters = lettersOf(token)
  return (other) => !isRole(other) && nearness(letters, lettersOf(other), distance) !== Number.POSITIVE_INFINITY
}

export type Counted = { readonly token: string; readonly df: number }
type Near = Counted & { readonly edits: number }

const byNearness = (a: Near, b: Near): number =>
  a.edits - b.edits || b.df - a.df || (a.token < b.token ? -1 : a.token > b.token ? 1 : 0)

/**
 * Collects the expansions of fuzzy words from dictionary entries that are offered in any order. `taken` returns a list for each
 * word. Several words are collected at once because reading the dictionary takes longer than comparing.
 */
export const fuzzyCollector = (words: readonly FuzzyWord[]): { offer: (entry: Counted) => void; taken: () => string[][] } => {
  const collected = words.map(({ token, distance }) => ({ letters: lettersOf(token), distance, near: [] as Near[] }))
  return {
    offer: (entry) => {
      if (isRole(entry.token)) return
      const letters = lettersOf(entry.token)
      for (const one of collected) {
        const edits = nearness(one.letters, letters, one.distance)
        if (edits === Number.POSITIVE_INFINITY) continue
        one.near.push({ ...entry, edits })
        if (one.near.length > MAX_EXPANSIONS * 20) one.near = one.near.sort(byNearness).slice(0, MAX_EXPANSIONS)
      }
    },
    taken: () =>
      collected.map(({ near }) =>
        near
          .sort(byNearness)
          .slice(0, MAX_EXPANSIONS)
          .map(({ token }) => token),
      ),
  }
}
