import { recordTokens } from '#field-types/record-tokens.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { documentFrequencies, expandFuzzy } from '#platform/db/text/token-counts.ts'
import { scoredTokens } from '#platform/text/bm25.ts'
import { evaluateNormal, type FieldTokens, indexField } from '#platform/text/evaluate.ts'
import { fuzzyCollector } from '#platform/text/fuzzy.ts'
import { parseTextQuery } from '#platform/text/query.ts'
import { indexable } from '#platform/text/relax.ts'
import { type Expr, leavesOf, mapLeaves, type Normal, normalise } from '#platform/text/tree.ts'
import { type Reach, recordsIn } from '../reach.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'
import { scanTokens, scanWords } from './unindexed.ts'

/** A text query as it is asked of this dataset: without roles where there are none, fuzzy words replaced. */
export type PreparedText = { readonly normal: Normal; readonly fuzzy: boolean; readonly df: ReadonlyMap<string, number> }

const hasRoles = ({ fields }: Reach, field: number | null): boolean =>
  fields.some(({ settings }, place) => (field === null || field === place) && serverFieldType(settings.type).hasRoles)

/** What a fuzzy word stands for. */
type Expand = (token: string, distance: number) => readonly string[] | Promise<readonly string[]>

const expandAll = async (expr: Expr, expand: Expand): Promise<Expr> => {
  const words = new Map<string, readonly string[]>()
  for (const leaf of leavesOf(expr)) {
    if (leaf.kind !== 'fuzzy') continue
    const name = `${leaf.token} ${leaf.distance}`
    if (!words.has(name)) words.set(name, await expand(leaf.token, leaf.distance))
  }
  return mapLeaves(expr, (leaf) => {
    if (leaf.kind !== 'fuzzy') return leaf
    const tokens = words.get(`${leaf.token} ${leaf.distance}`) ?? []
    return tokens.length === 0 ? { kind: 'none' } : { kind: 'any', tokens }
  })
}

/** The tree of a query without what cannot match; still with fuzzy words. */
export const parseText = (reach: Reach, { q, field }: AtomOf<'text'>): Normal => {
  const normal = normalise(parseTextQuery(q))
  if (hasRoles(reach, field)) return normal
  return { ...normal, expr: mapLeaves(normal.expr, (leaf) => (leaf.kind === 'role' ? { kind: 'none' } : leaf)) }
}

export const isFuzzy = ({ expr }: Normal): boolean => leavesOf(expr).some(({ kind }) => kind === 'fuzzy')

/** The same as `prepareText` while the counts of tokens are not complete. */
const prepareUnindexed = async (reach: Reach, parsed: Normal): Promise<PreparedText> => {
  const counts = await scanWords(reach, parsed.expr)
  const expr = await expandAll(parsed.expr, (token, distance) => {
    const { offer, taken } = fuzzyCollector(token, distance)
    for (const [near, df] of counts) offer({ token: near, df })
    return taken()
  })
  const df = new Map(scoredTokens(expr).map((token) => [token, counts.get(token) ?? 0]))
  return { normal: { ...parsed, expr }, fuzzy: isFuzzy(parsed), df }
}

export const prepareText = async (reach: Reach, parsed: Normal): Promise<PreparedText> => {
  const { db, datasetNo, textIndexed } = reach
  if (!textIndexed) return prepareUnindexed(reach, parsed)
  const fuzzy = isFuzzy(parsed)
  const expand: Expand = (token, distance) => expandFuzzy(db.sql, datasetNo, token, distance)
  const normal = fuzzy ? { ...parsed, expr: await expandAll(parsed.expr, expand) } : parsed
  return { normal, fuzzy, df: await documentFrequencies(db.sql, datasetNo, scoredTokens(normal.expr)) }
}

/** About how many postings a tree reads. */
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

/** How much more comparing the text of a record costs than an entry of an index. */
export const RECHECK = 50

export const textCost = (reach: Reach, { normal, df }: PreparedText): number => {
  if (!reach.textIndexed) return RECHECK * recordsIn(reach)
  const { expr, recheck, negated } = indexable(normal)
  const read = postings(expr, df, recordsIn(reach))
  return recheck ? RECHECK * (negated ? recordsIn(reach) : read) : read
}

const RECORDS_AT_ONCE = 500

/** The tokens of some records, in portions. */
export const readTokens = async (
  { db, datasetNo, fields }: Reach,
  seqs: readonly number[],
  visit: (seq: number, tokens: readonly FieldTokens[]) => void,
): Promise<void> => {
  for (let at = 0; at < seqs.length; at += RECORDS_AT_ONCE) {
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'fields'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed(seqs.slice(at, at + RECORDS_AT_ONCE)))
      .execute()
    for (const { seq, fields: values } of rows) visit(seq, recordTokens(fields, values))
  }
}

/** Restricted to the field that a query names. */
export const inField = (tokens: readonly FieldTokens[], field: number | null): readonly FieldTokens[] =>
  field === null ? tokens : tokens.filter((one) => one.field === field)

/** Those records from a `seq` on that match; `all` is asked for when a query only takes away and needs the texts. */
export const findText = async (
  reach: Reach,
  { field }: AtomOf<'text'>,
  { normal }: PreparedText,
  range: { readonly from: number; readonly all: () => Promise<SeqSet> },
): Promise<Signed> => {
  const { db, datasetNo, size } = reach
  const found = SeqSet.empty(size)
  const visit = (seq: number, tokens: readonly FieldTokens[]) => {
    if (evaluateNormal(normal, inField(tokens, field).map(indexField))) found.add(seq)
  }
  if (!reach.textIndexed) {
    await scanTokens(reach, range.from, visit)
    return { negated: false, set: found }
  }
  const { negated, expr, recheck } = indexable(normal)
  const set = SeqSet.parse(size, await db.dialect.text.hits(db.sql, datasetNo, expr, { field, from: range.from }))
  if (!recheck) return { negated, set }
  const candidates = negated ? (await range.all()).grown(size).minus(set) : set
  const seqs = candidates.toArray().filter((seq) => seq >= range.from)
  await readTokens(reach, seqs, visit)
  return { negated: false, set: found }
}
