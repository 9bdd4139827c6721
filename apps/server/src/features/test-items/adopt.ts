import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { replaceTest, type StoredTest, testsOfRecords } from './rows.ts'

export type AdoptedTest = { readonly seq: number; readonly test: StoredTest }

/**
 * Stores test items from another server with their answers. Test items that have a newer version here are kept. The caller has
 * locked the records.
 */
export const adoptTests = async (db: Db, datasetNo: number, adopted: readonly AdoptedTest[]): Promise<void> => {
  const questions = await questionRowsAt(db, datasetNo)
  const seqs = [...new Set(adopted.map(({ seq }) => seq))]
  const stored = await testsOfRecords(db, datasetNo, seqs, null)
  const added: AdoptedTest[] = []
  for (const { seq, test } of adopted) {
    const before = stored.get(seq)?.find(({ user_id }) => user_id === test.user_id)
    const current = { ...test, values: withLabels(test.values, questions, currentAnswerValue) }
    if (before === undefined) added.push({ seq, test: current })
    else if (test.updated_at > before.updated_at)
      await replaceTest(db, { datasetNo, seq }, { ...current, version: Math.max(test.version, before.version + 1) })
  }
  await db.dialect.insertMany(
    db.sql,
    'test_items',
    added.map(({ seq, test: { values, suggestion_outcomes, ...test } }) => ({
      ...test,
      dataset_no: datasetNo,
      seq,
      values: json(values),
      suggestion_outcomes: suggestion_outcomes && json(suggestion_outcomes),
    })),
  )
}

export type AdoptedTestPerson = {
  readonly user_id: string
  readonly handed_out: number
  readonly continued_at: Micros | null
}

/** Stores the people who get test items on another server. People who already get test items here are left unchanged. */
export const adoptTestPeople = (db: Db, datasetNo: number, people: readonly AdoptedTestPerson[]): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'test_people',
    people.map((one) => ({ ...one, dataset_no: datasetNo })),
    { ignoreConflicts: true },
  )
