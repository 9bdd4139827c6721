import { bm25, type Occurrences, occurrenceCounter, type ScoringTerm, scoringTerms } from '#platform/text/bm25.ts'
import type { Normal } from '#platform/text/tree.ts'
import type { AtomOf } from '../conditions/atoms.ts'
import { inField, type PreparedText, readTokens } from '../conditions/text-hits.ts'
import { type Reach, recordsIn } from '../reach.ts'
import type { SeqSet } from '../seq-set.ts'

/** Larger results, and results with more text, come in order of insertion. */
export const MAX_RANKED = 5000
const MAX_RANKED_BYTES = 20 * 2 ** 20

/** How much more reading the text of a record costs than an entry of an index. */
const READ = 20

/** Records by falling relevance; equal ones in order of insertion. */
export type Ranked = { readonly seqs: Uint32Array; readonly scores: Float64Array }

const isTooLong = async ({ db, datasetNo }: Reach, seqs: readonly number[]): Promise<boolean> => {
  const row = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.sum<number | null>(eb.fn<number>('octet_length', ['fields'])).as('bytes'))
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .executeTakeFirst()
  return (row?.bytes ?? 0) > MAX_RANKED_BYTES
}

/** A query that only takes away makes no record more relevant than another. */
const termsOf = ({ negated, expr }: Normal, df: (token: string) => number): ScoringTerm[] =>
  negated ? [] : scoringTerms(expr, df)

const rank = async (
  reach: Reach,
  { field }: AtomOf<'text'>,
  { normal, df }: PreparedText,
  seqs: readonly number[],
): Promise<Ranked> => {
  const terms = termsOf(normal, (token) => df.get(token) ?? 0)
  const count = occurrenceCounter(terms)
  const found: { seq: number; occurrences: Occurrences }[] = []
  await readTokens(reach, seqs, (seq, tokens) => found.push({ seq, occurrences: count(inField(tokens, field)) }))
  const mean = found.reduce((sum, { occurrences }) => sum + occurrences.length, 0) / Math.max(1, found.length)
  const scored = found.map(({ seq, occurrences }) => ({ seq, score: bm25(terms, occurrences, recordsIn(reach), mean) }))
  scored.sort((a, b) => b.score - a.score || a.seq - b.seq)
  const ranked = {
    seqs: new Uint32Array(new SharedArrayBuffer(scored.length * 4)),
    scores: new Float64Array(new SharedArrayBuffer(scored.length * 8)),
  }
  for (const [i, { seq, score }] of scored.entries()) {
    ranked.seqs[i] = seq
    ranked.scores[i] = score
  }
  return ranked
}

/**
 * What a text query and the conditions on content leave, by relevance; null when that is too much to rank, or when the
 * query has no word that could make one record more relevant than another.
 *
 * @param key of all conditions that `set` is made of
 * @throws Cold on the page's path
 */
export const rankedBy = async (
  reach: Reach,
  {
    atom,
    text,
    set,
    key,
  }: { readonly atom: AtomOf<'text'>; readonly text: PreparedText; readonly set: SeqSet; readonly key: string },
): Promise<Ranked | null> => {
  const count = set.count()
  if (count > MAX_RANKED || termsOf(text.normal, () => 0).length === 0) return null
  return reach.keeper.take<Ranked | null>({
    key: `ranked ${key}`,
    cost: count * READ,
    make: async () => {
      const seqs = set.toArray()
      return (await isTooLong(reach, seqs)) ? null : rank(reach, atom, text, seqs)
    },
    bytes: (ranked) => (ranked === null ? 0 : ranked.scores.byteLength + ranked.seqs.byteLength),
  })
}
