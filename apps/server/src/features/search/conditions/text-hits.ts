import { foldAccents } from '@postil/contract/wire/fold-accents.ts'
import { recordContent } from '#field-types/record-tokens.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { documentFrequencies, expandFuzzy } from '#platform/db/text/token-counts.ts'
import { scoredTokens } from '#platform/text/bm25.ts'
import { evaluateNormal, type FieldContent, indexField } from '#platform/text/evaluate.ts'
import { type FuzzyWord, fuzzyCollector } from '#platform/text/fuzzy.ts'
import { parseTextQuery } from '#platform/text/query.ts'
import { indexable } from '#platform/text/relax.ts'
import { type Approximate, type Expr, mapLeaves, type Normal, normalise, wordLeavesOf } from '#platform/text/tree.ts'
import { CacheMiss } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'
import { scanTokens, scanWords } from './unindexed.ts'

/**
 * A text query adapted to this dataset. Role conditions match nothing if no field has roles. Fuzzy words are replaced by the
 * words that they match.
 */
export type PreparedText = { readonly normal: Normal; readonly fuzzy: boolean; readonly df: ReadonlyMap<string, number> }

const hasRoles = ({ fields }: SearchContext, field: number | null): boolean =>
  fields.some(({ settings }, place) => (field === null || field === place) && serverFieldType(settings).hasRoles)

/** Returns the words that each fuzzy word matches. */
type Expand = (words: readonly FuzzyWord[]) => readonly (readonly string[])[] | Promise<readonly (readonly string[])[]>

const fuzzyName = ({ token, distance }: FuzzyWord): string => `${token} ${distance}`

const fuzzyWordsOf = (expr: Expr): readonly FuzzyWord[] => wordLeavesOf(expr).filter((leaf) => leaf.kind === 'fuzzy')

/** How many fuzzy words a query contains. */
export const fuzzyCount = ({ expr }: Normal): number => fuzzyWordsOf(expr).length

const expandAll = async (expr: Expr, expand: Expand): Promise<Expr> => {
  const words = new Map(fuzzyWordsOf(expr).map((word) => [fuzzyName(word), word]))
  const lists = await expand([...words.values()])
  const expansions = new Map([...words.keys()].map((name, i) => [name, lists[i] ?? []]))
  const expanded = (leaf: Approximate): Approximate =>
    leaf.kind === 'fuzzy' ? { kind: 'any', tokens: expansions.get(fuzzyName(leaf)) ?? [] } : leaf
  const isPossible = (leaf: Approximate) => leaf.kind !== 'any' || leaf.tokens.length > 0
  return mapLeaves(expr, (leaf) => {
    if (leaf.kind !== 'fuzzy' && leaf.kind !== 'sequence') return leaf
    const parts = leaf.kind === 'fuzzy' ? [expanded(leaf)] : leaf.parts.map(expanded)
    if (!parts.every(isPossible)) return { kind: 'none' }
    return leaf.kind === 'fuzzy' ? parts[0]! : { kind: 'sequence', parts }
  })
}

/** Returns a query's tree without branches that can't match. Fuzzy words are still unexpanded. */
export const parseText = (context: SearchContext, { q, field }: AtomOf<'text'>): Normal => {
  const ignoresAccents = context.fields.some((one) => one.ignores_accents)
  const normal = normalise(parseTextQuery(ignoresAccents ? foldAccents(q) : q))
  if (hasRoles(context, field)) return normal
  return { ...normal, expr: mapLeaves(normal.expr, (leaf) => (leaf.kind === 'role' ? { kind: 'none' } : leaf)) }
}

/** Used instead of `prepareText` while the token counts are incomplete. */
const prepareUnindexed = async (context: SearchContext, parsed: Normal): Promise<PreparedText> => {
  const counts = await scanWords(context, parsed.expr)
  const expr = await expandAll(parsed.expr, (words) => {
    const { offer, taken } = fuzzyCollector(words)
    for (const [near, df] of counts) offer({ token: near, df })
    return taken()
  })
  const df = new Map(scoredTokens(expr).map((token) => [token, counts.get(token) ?? 0]))
  return { normal: { ...parsed, expr }, fuzzy: fuzzyCount(parsed) > 0, df }
}

export const prepareText = async (context: SearchContext, parsed: Normal): Promise<PreparedText> => {
  const { db, datasetNo, textIndexed } = context
  if (!textIndexed) return prepareUnindexed(context, parsed)
  const fuzzy = fuzzyCount(parsed) > 0
  const expand: Expand = (words) => expandFuzzy(db.sql, datasetNo, words)
  const normal = fuzzy ? { ...parsed, expr: await expandAll(parsed.expr, expand) } : parsed
  return { normal, fuzzy, df: await documentFrequencies(db.sql, datasetNo, scoredTokens(normal.expr)) }
}

/** Estimates how many postings must be read to evaluate a tree. */
const postings = (expr: Expr, df: ReadonlyMap<string, number>, all: number): number => {
  const of = (token: string) => df.get(token) ?? 0
  if (expr.kind === 'none') return 0
  if (expr.kind === 'token') return of(expr.token)
  if (expr.kind === 'role') return of(`=${expr.role}`)
  if (expr.kind === 'phrase') return 2 * Math.min(...expr.tokens.map(of))
  if (expr.kind === 'any') return expr.tokens.reduce((sum, token) => sum + of(token), 0)
  if (expr.kind === 'minus') return postings(expr.from, df, all)
  if (expr.kind !== 'and' && expr.kind !== 'or') return all
  const parts = expr.nodes.map((node) => postings(node, df, all))
  return expr.kind === 'and' ? Math.min(...parts) : parts.reduce((sum, part) => sum + part, 0)
}

/** The cost of comparing a record's text with a query, measured in index entries. */
export const RECHECK = 50

export const textCost = (context: SearchContext, { normal, df }: PreparedText): number => {
  if (!context.textIndexed) return RECHECK * recordCount(context)
  const { expr, recheck, negated } = indexable(normal)
  const read = postings(expr, df, recordCount(context))
  return recheck ? RECHECK * (negated ? recordCount(context) : read) : read
}

const RECORDS_PER_BATCH = 500

/** Reads the tokens of some records in batches. */
export const readTokens = async (
  { db, datasetNo, fields }: SearchContext,
  seqs: readonly number[],
  visit: (seq: number, tokens: readonly FieldContent[]) => void,
): Promise<void> => {
  for (let at = 0; at < seqs.length; at += RECORDS_PER_BATCH) {
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'fields'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed(seqs.slice(at, at + RECORDS_PER_BATCH)))
      .execute()
    for (const { seq, fields: values } of rows) visit(seq, recordContent(fields, values))
  }
}

/** Keeps only the field that a query refers to. */
export const inField = (tokens: readonly FieldContent[], field: number | null): readonly FieldContent[] =>
  field === null ? tokens : tokens.filter((one) => one.field === field)

/**
 * Returns the records that match a text condition. Checks only records from `range.from` on.
 * @param range `from` is the first `seq` to check. `all` returns all records. It is called only if a query consists of exclusions
 * and its matches must be checked
 */
export const findText = async (
  context: SearchContext,
  { field }: AtomOf<'text'>,
  { normal }: PreparedText,
  range: { readonly from: number; readonly all: () => Promise<SeqSet | CacheMiss> },
): Promise<Signed | CacheMiss> => {
  const { db, datasetNo, size } = context
  const found = SeqSet.empty(size)
  const visit = (seq: number, tokens: readonly FieldContent[]) => {
    if (evaluateNormal(normal, inField(tokens, field).map(indexField))) found.add(seq)
  }
  if (!context.textIndexed) {
    await scanTokens(context, range.from, visit)
    return { negated: false, set: found }
  }
  const { negated, expr, recheck } = indexable(normal)
  const set = SeqSet.parse(size, await db.dialect.text.hits(db.sql, datasetNo, expr, { field, from: range.from }))
  if (!recheck) return { negated, set }
  const all = negated ? await range.all() : null
  if (all instanceof CacheMiss) return all
  const candidates = all === null ? set : all.grown(size).minus(set)
  const seqs = candidates.toArray().filter((seq) => seq >= range.from)
  await readTokens(context, seqs, visit)
  return { negated: false, set: found }
}
