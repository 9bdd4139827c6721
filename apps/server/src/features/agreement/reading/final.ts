import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Db } from '#platform/db/db.ts'

/** Number of records whose final answers one read returns. */
const RECORDS_AT_ONCE = 2000

type Wanted<T> = {
  readonly datasetNo: number
  readonly question: string
  /** The record of each unit, in ascending order. */
  readonly seqs: Uint32Array
  /** Returns the position of a value among the question's distinct values; −1 if the value can't be compared. */
  readonly indexOf: (value: T) => number
}

/**
 * The final answer of each unit, as an index. −1 if the unit has no final answer, its review isn't finished, or the final answer
 * is stale.
 */
export const readReference = async <T extends AnswerValue>(
  db: Db,
  { datasetNo, question, seqs, indexOf }: Wanted<T>,
): Promise<Int32Array> => {
  const reference = new Int32Array(seqs.length).fill(-1)
  let unit = 0
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
      while (unit < seqs.length && seqs[unit]! < seq) unit += 1
      if (seqs[unit] !== seq || !Object.hasOwn(values, question)) continue
      // The contract's schema validated the values before they were stored.
      const { value } = values[question] as { readonly value: T }
      reference[unit] = indexOf(value)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < RECORDS_AT_ONCE) return reference
    after = last.seq
    await db.dialect.flush()
  }
}
