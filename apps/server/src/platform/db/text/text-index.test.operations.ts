import type { FuzzyWord } from '#platform/text/fuzzy.ts'
import type { Expr } from '#platform/text/tree.ts'
import { ensureState } from '../dataset-state.test.operations.ts'
import { forEachSeq } from '../keys/seq-list.ts'
import { command, query } from '../operations.ts'
import type { HitScope, TextChange } from './text-index.ts'
import { expandFuzzy } from './token-counts.ts'

export const indexText = command('test.text.index', async (db, args: { datasetNo: number; changes: readonly TextChange[] }) => {
  await ensureState(db, args.datasetNo)
  await db.dialect.text.index(db.sql, args.datasetNo, args.changes)
})

export const purgeText = command('test.text.purge', async (db, args: { datasetNo: number; from: number; to: number }) => {
  await db.dialect.text.purge(db.sql, args.datasetNo, args.from, args.to)
})

export const findText = query(
  'test.text.find',
  async (db, args: { datasetNo: number; scope: HitScope; exprs: readonly Expr[] }) => {
    const found: number[][] = []
    for (const expr of args.exprs) {
      const seqs: number[] = []
      forEachSeq(await db.dialect.text.hits(db.sql, args.datasetNo, expr, args.scope), (seq) => seqs.push(seq))
      found.push(seqs.sort((a, b) => a - b))
    }
    return found
  },
)

export const fuzzyTokens = query('test.text.fuzzy', (db, args: { datasetNo: number; words: readonly FuzzyWord[] }) =>
  expandFuzzy(db.sql, args.datasetNo, args.words),
)

export const countedTokens = query('test.text.counts', async (db, args: { datasetNo: number }) => {
  const rows = await db.sql
    .selectFrom('dataset_tokens')
    .select(['token', 'df'])
    .where('dataset_no', '=', args.datasetNo)
    .execute()
  return new Map(rows.map(({ token, df }) => [token, df]))
})
