import type { Db } from '#platform/db/db.ts'

/** Reads the submitted answers to the records with a `seq` from `from` (inclusive) to `to` (exclusive). */
export const submittedAnswers = (db: Db, datasetNo: number, from: number, to: number) =>
  db.sql
    .selectFrom('responses')
    .select(['seq', 'user_id', 'values', 'suggestion_outcomes', 'suggestion_view', 'updated_at'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where('status', '=', 'submitted')
    .execute()
