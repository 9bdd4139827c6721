import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import { rescoreRecords } from './rescore.ts'
import { type StoredTest, storeTestImage, testsOfRecords } from './rows.ts'
import type { ScoredQuestion } from './score.ts'

type Relabeling = {
  readonly dataset_no: number
  /** The schema version that contains the new labels. */
  readonly schemaVersion: number
  /** The records. The caller has locked them, and has replaced the labels in their final answers. */
  readonly seqs: readonly number[]
  readonly questions: readonly ScoredQuestion[]
  readonly tolerance: number
  /** Returns the new values. If none of the answer's labels change, returns the same object as `test.values`. */
  readonly valuesOf: (test: StoredTest) => ResponseValues
}

/**
 * Changes labels in answers to test items, and recomputes the scores of these answers. The answers keep their version numbers, so
 * that edits based on these versions can still be stored. The versions of regular answers are kept in the same way.
 */
export const relabelTests = async (
  db: Db,
  { dataset_no, schemaVersion, seqs, questions, tolerance, valuesOf }: Relabeling,
): Promise<void> => {
  const tests = await testsOfRecords(db, dataset_no, seqs, null)
  if (tests.size === 0) return
  for (const [seq, all] of tests)
    for (const test of all) {
      const values = valuesOf(test)
      if (values === test.values) continue
      await storeTestImage(db, { datasetNo: dataset_no, seq }, test, { action: 'update', schemaVersion })
      await db.sql
        .updateTable('test_items')
        .set({ values: json(values) })
        .where('dataset_no', '=', dataset_no)
        .where('seq', '=', seq)
        .where('user_id', '=', test.user_id)
        .execute()
    }
  await rescoreRecords(db, dataset_no, [...tests.keys()], { questions, tolerance })
}
