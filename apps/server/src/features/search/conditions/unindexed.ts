import { recordContent } from '#field-types/record-tokens.ts'
import { scoredTokens } from '#platform/text/bm25.ts'
import type { FieldContent } from '#platform/text/evaluate.ts'
import { isNearTo } from '#platform/text/fuzzy.ts'
import { type Expr, wordLeavesOf } from '#platform/text/tree.ts'
import type { SearchContext } from '../search-context.ts'

const RECORDS_PER_BATCH = 500

type Place = Pick<SearchContext, 'db' | 'datasetNo' | 'fields'>

/** Tokenizes the fields of all records, starting at a `seq`. Used while the text index is incomplete. */
export const scanTokens = async (
  { db, datasetNo, fields }: Place,
  from: number,
  visit: (seq: number, tokens: readonly FieldContent[]) => void,
): Promise<void> => {
  for (let next = from; ; ) {
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'fields'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>=', next)
      .orderBy('seq')
      .limit(RECORDS_PER_BATCH)
      .execute()
    for (const { seq, fields: values } of rows) visit(seq, recordContent(fields, values))
    const last = rows.at(-1)
    if (last === undefined) return
    next = last.seq + 1
  }
}

/**
 * Counts the records that contain a token, for two kinds of tokens: those that determine the scores of the search, and those that
 * match one of its fuzzy words.
 */
export const scanWords = async (place: Place, expr: Expr): Promise<ReadonlyMap<string, number>> => {
  const scored = new Set(scoredTokens(expr))
  const nearTests = wordLeavesOf(expr).flatMap((leaf) => (leaf.kind === 'fuzzy' ? [isNearTo(leaf)] : []))
  const isNear = (token: string) => nearTests.some((test) => test(token))
  const counts = new Map<string, number>()
  await scanTokens(place, 0, (_, fields) => {
    for (const token of new Set(fields.flatMap(({ tokens }) => tokens))) {
      const known = counts.get(token)
      if (known !== undefined) counts.set(token, known + 1)
      else if (scored.has(token) || isNear(token)) counts.set(token, 1)
    }
  })
  return counts
}
