import type { Db } from '#platform/db/db.ts'
import { now } from '#platform/time.ts'
import { rebuildAgreement } from '../agreement/rebuild.ts'
import { indexRowsOf } from '../index-rows.ts'
import { responsesOfRecords } from '../queries.ts'
import { loadQuestions } from '../scope.ts'
import { rebuildActiveTimes } from './active-times.ts'
import { rememberUsers } from './counts.ts'

/**
 * Rebuilds the answer index rows, the agreement and the active time of some records, and removes index rows of missing records.
 * The caller must lock the records.
 * @param seqs the existing records from `after` (exclusive) to `last` (inclusive)
 */
export const rebuildResponseRows = async (
  db: Db,
  datasetNo: number,
  { after, last, seqs }: { readonly after: number; readonly last: number; readonly seqs: readonly number[] },
): Promise<void> => {
  for (const table of ['response_terms', 'response_numbers'] as const) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', '>', after).where('seq', '<=', last).execute()
  }
  const questions = await loadQuestions(db, datasetNo)
  await rebuildAgreement(db, datasetNo, questions, { after, last, seqs })
  const answersBySeq = await responsesOfRecords(db, datasetNo, seqs)
  await rebuildActiveTimes(db, datasetNo, answersBySeq)
  const rows = [...answersBySeq].flatMap(([seq, answers]) =>
    answers.map(({ user_id, values }) => indexRowsOf({ dataset_no: datasetNo, seq, user_id }, questions, values)),
  )
  await db.dialect.insertMany(
    db.sql,
    'response_terms',
    rows.flatMap(({ terms }) => terms),
  )
  await db.dialect.insertMany(
    db.sql,
    'response_numbers',
    rows.flatMap(({ numbers }) => numbers),
  )
}

const countRecords = async (db: Db, datasetNo: number): Promise<void> => {
  const counted = await db.sql
    .selectFrom('records')
    .select((eb) => ['status', eb.fn.countAll<number>().as('n'), eb.fn.sum<number>('extra_answers').as('extra')])
    .where('dataset_no', '=', datasetNo)
    .groupBy('status')
    .execute()
  await db.sql.deleteFrom('dataset_counts').where('dataset_no', '=', datasetNo).where('kind', '!=', 'reopened').execute()
  const rows = counted.flatMap(({ status, n, extra }) => [
    { dataset_no: datasetNo, slot: 0, kind: status, n },
    { dataset_no: datasetNo, slot: 0, kind: `extra_${status}` as const, n: Number(extra) },
  ])
  await db.dialect.insertMany(db.sql, 'dataset_counts', rows)
  // Invalidates stored queue positions, so that the entire queue is searched again.
  await db.sql
    .insertInto('dataset_counts')
    .values({ dataset_no: datasetNo, slot: 0, kind: 'reopened', n: 1 })
    .onConflict((c) => c.columns(['dataset_no', 'slot', 'kind']).doUpdateSet((eb) => ({ n: eb('dataset_counts.n', '+', 1) })))
    .execute()
}

const countAnswers = async (db: Db, datasetNo: number): Promise<void> => {
  const rows = await db.sql
    .selectFrom('responses')
    .innerJoin('records', (join) =>
      join.onRef('records.dataset_no', '=', 'responses.dataset_no').onRef('records.seq', '=', 'responses.seq'),
    )
    .select((eb) => [
      'responses.user_id',
      'records.status as record_status',
      'responses.status as response_status',
      eb.fn.countAll<number>().as('n'),
    ])
    .where('responses.dataset_no', '=', datasetNo)
    .groupBy(['responses.user_id', 'records.status', 'responses.status'])
    .execute()
  await db.sql.deleteFrom('user_counts').where('dataset_no', '=', datasetNo).execute()
  await db.dialect.insertMany(
    db.sql,
    'user_counts',
    rows.map((row) => ({ dataset_no: datasetNo, ...row })),
  )
  await rememberUsers(
    db,
    datasetNo,
    rows.map(({ user_id }) => user_id),
    now(),
  )
}

/**
 * Recounts records by status, recounts all users' answers, and completes the list of users who answered. The records' statuses
 * must be correct, and the caller must block all writers of records and answers.
 */
export const rebuildCounters = async (db: Db, datasetNo: number): Promise<void> => {
  await countRecords(db, datasetNo)
  await countAnswers(db, datasetNo)
}
