import type { Db } from '#platform/db/db.ts'
import type { ScopeQuestion } from '../scope.ts'
import { agreementsOf } from './record-agreement.ts'

type Range = { readonly after: number; readonly last: number; readonly seqs: readonly number[] }

const countAgreement = async (db: Db, datasetNo: number, questions: readonly ScopeQuestion[], seqs: readonly number[]) => {
  const answers = await db.sql
    .selectFrom('responses')
    .select(['seq', 'values'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('status', '=', 'submitted')
    .execute()
  return [...Map.groupBy(answers, ({ seq }) => seq)].flatMap(([seq, submitted]) =>
    [
      ...agreementsOf(
        questions,
        submitted.map(({ values }) => values),
      ),
    ].map(([key, number]) => ({ dataset_no: datasetNo, seq, key, number })),
  )
}

/**
 * Rebuilds the agreement on some records, and removes the agreement on missing records. The caller must lock the records.
 * @param range `seqs`: the existing records from `after` (exclusive) to `last` (inclusive)
 */
export const rebuildAgreement = async (
  db: Db,
  datasetNo: number,
  questions: readonly ScopeQuestion[],
  { after, last, seqs }: Range,
): Promise<void> => {
  await db.sql
    .deleteFrom('agreement_numbers')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  await db.dialect.insertMany(db.sql, 'agreement_numbers', await countAgreement(db, datasetNo, questions, seqs))
}
