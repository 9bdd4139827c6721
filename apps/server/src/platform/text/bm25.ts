import { type FieldTokens, roleToken } from './evaluate.ts'
import { type Expr, wordLeavesOf } from './tree.ts'

/**
 * Relevance is Okapi BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework") with the usual constants and
 * the IDF variant that is never negative. All fields of a record are scored as one text.
 */
const K1 = 1.2
const B = 0.75

/**
 * A term of the score. The occurrences of all `tokens` count together. `df` is the number of records that contain the token or,
 * if there are several tokens, the most frequent one. A prefix adds 1 to the score of each record that contains it.
 */
export type ScoringTerm = { readonly tokens: readonly string[]; readonly df: number } | { readonly prefix: string }

/** The tokens whose document frequencies `scoringTerms` needs. */
export const scoredTokens = (expr: Expr): string[] => [
  ...new Set(
    wordLeavesOf(expr, true).flatMap((leaf) => {
      if (leaf.kind === 'token') return [leaf.token]
      if (leaf.kind === 'role') return [roleToken(leaf.role)]
      if (leaf.kind === 'any' || leaf.kind === 'phrase') return leaf.tokens
      return []
    }),
  ),
]

/** The terms that add to the score: all leaves that are not subtracted. Each distinct word of a phrase is a term of its own. */
export const scoringTerms = (expr: Expr, df: (token: string) => number): ScoringTerm[] => {
  const seen = new Set<string>()
  const terms: ScoringTerm[] = []
  const single = (token: string) => {
    if (seen.has(token)) return
    seen.add(token)
    terms.push({ tokens: [token], df: df(token) })
  }
  for (const leaf of wordLeavesOf(expr, true)) {
    if (leaf.kind === 'token') single(leaf.token)
    else if (leaf.kind === 'role') single(roleToken(leaf.role))
    else if (leaf.kind === 'phrase') for (const token of leaf.tokens) single(token)
    else if (leaf.kind === 'any') terms.push({ tokens: leaf.tokens, df: Math.max(0, ...leaf.tokens.map(df)) })
    else if (leaf.kind === 'prefix') terms.push({ prefix: leaf.prefix })
  }
  return terms
}

/** How often each term occurs in a record, and the record's number of tokens. */
export type Occurrences = { readonly counts: readonly number[]; readonly length: number }

const nowhere: readonly number[] = []

/** Returns a function that counts terms. Create it once per query and call it once per record. */
export const occurrenceCounter = (terms: readonly ScoringTerm[]): ((fields: readonly FieldTokens[]) => Occurrences) => {
  const places = new Map<string, number[]>()
  const prefixes: { prefix: string; place: number }[] = []
  for (const [place, term] of terms.entries()) {
    if ('prefix' in term) prefixes.push({ prefix: term.prefix, place })
    else for (const token of term.tokens) places.set(token, [...(places.get(token) ?? []), place])
  }
  const count = (counts: number[], token: string) => {
    for (const place of places.get(token) ?? nowhere) counts[place]! += 1
    for (const { prefix, place } of prefixes) if (token.startsWith(prefix)) counts[place] = 1
  }
  return (fields) => {
    const counts = terms.map(() => 0)
    let length = 0
    for (const { tokens } of fields) {
      length += tokens.length
      for (const token of tokens) count(counts, token)
    }
    return { counts, length }
  }
}

/**
 * Computes a record's score, 0 if no term occurs.
 *
 * @param records number of records in the dataset
 * @param meanLength mean number of tokens in the ranked records
 */
export const bm25 = (
  terms: readonly ScoringTerm[],
  { counts, length }: Occurrences,
  records: number,
  meanLength: number,
): number => {
  const norm = K1 * (1 - B + (B * length) / (meanLength || 1))
  let score = 0
  for (const [place, term] of terms.entries()) {
    const tf = counts[place]!
    if (tf === 0) continue
    if ('prefix' in term) score += 1
    else score += Math.log(1 + (Math.max(0, records - term.df) + 0.5) / (term.df + 0.5)) * ((tf * (K1 + 1)) / (tf + norm))
  }
  return score
}
