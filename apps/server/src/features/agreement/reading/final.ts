import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Db } from '#platform/db/db.ts'

/** Number of records whose final answers one read returns. */
const RECORDS_AT_ONCE = 2000

/** The current final answers of finished reviews: by question name and the record's `seq`. */
export type FinalAnswers = ReadonlyMap<string, ReadonlyMap<number, AnswerValue>>

/** Final answers that are based on answers or fields that have changed since are left out. */
export const readFinalAnswers = async (db: Db, datasetNo: number): Promise<FinalAnswers> => {
  const found = new Map<string, Map<number, AnswerValue>>()
  for (let after = -1; ; ) {
    const rows = await db.sql
      .selectFrom('gold')
      .select(['seq', 'values'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>', after)
      .where('final', '=', true)
      .where('stale', '=', false)
      .orderBy('seq')
      .limit(RECORDS_AT_ONCE)
      .execute()
    for (const { seq, values } of rows) {
      // The contract's schema has validated the values before they were stored.
      for (const [question, { value }] of Object.entries(
        values as { readonly [name: string]: { readonly value: AnswerValue } },
      )) {
        const ofQuestion = found.get(question) ?? new Map<number, AnswerValue>()
        found.set(question, ofQuestion)
        ofQuestion.set(seq, value)
      }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < RECORDS_AT_ONCE) return found
    after = last.seq
    await db.dialect.flush()
  }
}

/**
 * The final answer of each unit; −1 if there is none. @param seqs the record of each unit
 * @param indexOf the index of a value among the distinct values; −1 if it can't be compared
 */
export const referenceOf = (
  seqs: Uint32Array,
  answers: ReadonlyMap<number, AnswerValue> | undefined,
  indexOf: (value: never) => number,
): Int32Array | undefined => {
  if (answers === undefined) return undefined
  return Int32Array.from(seqs, (seq) => {
    const value = answers.get(seq)
    // The caller's index function accepts the values of its question type.
    return value === undefined ? -1 : indexOf(value as never)
  })
}
