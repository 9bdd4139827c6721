import { goldOfRecords } from '#features/gold/public.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { testsOfRecords } from './rows.ts'
import { scoreOf } from './score.ts'

const RECORDS_PER_BATCH = 500

type Rescored = {
  readonly seq: number
  readonly user_id: string
  readonly stored: number | null
  readonly counted: number | null
}

/** The stored scores of submitted test answers, and the scores that they should have. */
export async function* recountScores(db: Db, datasetNo: number, tolerance: number): AsyncGenerator<readonly Rescored[]> {
  const questions = await questionRowsAt(db, datasetNo)
  for (let after = -1; ; ) {
    const rows = await db.sql
      .selectFrom('test_items')
      .select('seq')
      .distinct()
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(RECORDS_PER_BATCH)
      .execute()
    const seqs = rows.map(({ seq }) => seq)
    const last = seqs.at(-1)
    if (last === undefined) return
    after = last
    const tests = await testsOfRecords(db, datasetNo, seqs, null)
    const golds = await goldOfRecords(db, datasetNo, seqs)
    yield [...tests].flatMap(([seq, all]) => {
      const gold = golds.get(seq)
      if (gold === undefined) return []
      // Answers that were compared with earlier final answers are scored when they are counted.
      const current = all.filter(({ status, gold_version }) => status === 'submitted' && gold_version === gold.version)
      return current.map(({ user_id, values, rightness }) => ({
        seq,
        user_id,
        stored: rightness,
        counted: scoreOf(questions, values, gold, tolerance),
      }))
    })
  }
}

/** Scores all test answers of a dataset again, because the tolerance has changed. */
export const rescoreTests = async (db: Db, datasetNo: number, tolerance: number): Promise<void> => {
  for await (const batch of recountScores(db, datasetNo, tolerance)) {
    for (const { seq, user_id, counted } of batch.filter(({ stored, counted }) => stored !== counted))
      await db.sql
        .updateTable('test_items')
        .set({ rightness: counted })
        .where('dataset_no', '=', datasetNo)
        .where('seq', '=', seq)
        .where('user_id', '=', user_id)
        .execute()
  }
}
