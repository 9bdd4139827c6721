import type { FieldTokens } from '#platform/text/evaluate.ts'
import { type FuzzyWord, fuzzyCollector } from '#platform/text/fuzzy.ts'
import type { Sql } from '../db.ts'
import type { TextChange, TokenCount } from './text-index.ts'

/** `text` is the number of the last text in which the token was counted. */
type Count = { df: number; text: number }

/** The change in each token's record count. Sorted by token, so that two commands can't deadlock. */
export const countChanges = (changes: readonly TextChange[]): readonly TokenCount[] => {
  const counts = new Map<string, Count>()
  let text = 0
  const count = (fields: readonly FieldTokens[] | null, by: 1 | -1) => {
    text += 1
    for (const { tokens } of fields ?? []) {
      for (const token of tokens) {
        const known = counts.get(token)
        if (known === undefined) counts.set(token, { df: by, text })
        else if (known.text !== text) {
          known.text = text
          known.df += by
        }
      }
    }
  }
  for (const { before, after } of changes) {
    count(before, -1)
    count(after, 1)
  }
  // Sorting without a comparison function takes half the time.
  return [...counts.keys()].sort().flatMap((token) => {
    const df = counts.get(token)?.df ?? 0
    return df === 0 ? [] : { token, df }
  })
}

/** The number of the dataset's records that contain each token. Omits tokens that don't occur. */
export const documentFrequencies = async (
  sql: Sql,
  datasetNo: number,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (tokens.length === 0) return new Map()
  const rows = await sql
    .selectFrom('dataset_tokens')
    .select(['token', 'df'])
    .where('dataset_no', '=', datasetNo)
    .where('token', 'in', [...tokens])
    .execute()
  return new Map(rows.map(({ token, df }) => [token, df]))
}

/** Number of tokens read at a time. It is small, because on PostgreSQL other requests wait while the tokens are compared. */
const PAGE = 5000

/**
 * For each fuzzy word, the tokens in the dataset that it matches: at most 50, nearest first. Reads the vocabulary once for all
 * words.
 */
export const expandFuzzy = async (sql: Sql, datasetNo: number, words: readonly FuzzyWord[]): Promise<string[][]> => {
  const { offer, taken } = fuzzyCollector(words)
  const lengths = words.map(({ token, distance }) => ({ length: [...token].length, distance }))
  const shortest = Math.min(...lengths.map(({ length, distance }) => length - distance))
  const longest = Math.max(...lengths.map(({ length, distance }) => length + distance))
  let last = ''
  for (;;) {
    const page = await sql
      .selectFrom('dataset_tokens')
      .select(['token', 'df'])
      .where('dataset_no', '=', datasetNo)
      .where('token', '>', last)
      .where((eb) => eb.between(eb.fn<number>('length', ['token']), shortest, longest))
      .orderBy('token')
      .limit(PAGE)
      .execute()
    for (const entry of page) offer(entry)
    const final = page.at(-1)
    if (final === undefined || page.length < PAGE) return taken()
    last = final.token
  }
}
