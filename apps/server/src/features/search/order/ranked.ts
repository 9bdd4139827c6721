import { bm25, type Occurrences, occurrenceCounter, type ScoringTerm, scoringTerms } from '#platform/text/bm25.ts'
import type { Normal } from '#platform/text/tree.ts'
import type { AtomOf } from '../conditions/atoms.ts'
import { recordsById } from '../conditions/record-ids.ts'
import { inField, type PreparedText, readTokens } from '../conditions/text-hits.ts'
import type { CacheMiss } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import type { SeqSet } from '../seq-set.ts'

/** Maximum number of records to rank. Larger results, or results with too much text, are returned in insertion order. */
const MAX_RANKED = 5000
const MAX_RANKED_BYTES = 20 * 2 ** 20

/** The cost of reading a record's text. The unit is the cost of reading one index entry. */
const READ_COST = 20

/** Records by descending relevance. Ties are in insertion order. */
type Ranked = { readonly seqs: Uint32Array; readonly scores: Float64Array }

const isTooLong = async ({ db, datasetNo }: SearchContext, seqs: readonly number[]): Promise<boolean> => {
  const row = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.sum<number | null>(eb.fn<number>('octet_length', ['fields'])).as('bytes'))
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .executeTakeFirst()
  return (row?.bytes ?? 0) > MAX_RANKED_BYTES
}

/** The terms by which records are ranked. None if the query contains only exclusions: all records are then equally relevant. */
const termsOf = ({ negated, expr }: Normal, df: (token: string) => number): ScoringTerm[] =>
  negated ? [] : scoringTerms(expr, df)

const rank = async (
  context: SearchContext,
  atom: AtomOf<'text'>,
  { normal, df }: PreparedText,
  seqs: readonly number[],
): Promise<Ranked> => {
  const terms = termsOf(normal, (token) => df.get(token) ?? 0)
  const count = occurrenceCounter(terms)
  const found: { seq: number; occurrences: Occurrences }[] = []
  await readTokens(context, seqs, (seq, tokens) => found.push({ seq, occurrences: count(inField(tokens, atom.field)) }))
  const mean = found.reduce((sum, { occurrences }) => sum + occurrences.length, 0) / Math.max(1, found.length)
  const scored = found.map(({ seq, occurrences }) => ({ seq, score: bm25(terms, occurrences, recordCount(context), mean) }))
  const byId = await recordsById(context, atom, 0)
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0)
  // A record that is found by its ID comes first.
  for (const one of scored) if (byId.has(one.seq)) one.score = best + 1
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
 * Returns the records that match a text query and the content conditions, sorted by relevance. Returns null if there are too many
 * records to rank, or if no word in the query distinguishes them.
 * @param set the records that match
 * @param key identifies the conditions that the records in `set` fulfill. Results are cached under this key
 */
export const rankedBy = async (
  context: SearchContext,
  {
    atom,
    text,
    set,
    key,
  }: { readonly atom: AtomOf<'text'>; readonly text: PreparedText; readonly set: SeqSet; readonly key: string },
): Promise<Ranked | null | CacheMiss> => {
  const count = set.count()
  if (count > MAX_RANKED || termsOf(text.normal, () => 0).length === 0) return null
  return context.cache.getOrMake<Ranked | null>({
    key: `ranked ${key}`,
    cost: count * READ_COST,
    make: async () => {
      const seqs = set.toArray()
      return (await isTooLong(context, seqs)) ? null : rank(context, atom, text, seqs)
    },
    bytes: (ranked) => (ranked === null ? 0 : ranked.scores.byteLength + ranked.seqs.byteLength),
  })
}
