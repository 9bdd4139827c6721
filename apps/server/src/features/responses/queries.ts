import type { Db } from '#platform/db/db.ts'
import type { StoredResponse } from './rows.ts'
import { responseColumns } from './rows.ts'

const SEQS_PER_BATCH = 500

/**
 * Returns records' answers by `seq`, in creation order within each record.
 * @param userId if set, only this user's answers
 */
export const responsesOfRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  userId?: string,
): Promise<ReadonlyMap<number, readonly StoredResponse[]>> => {
  const found = new Map<number, StoredResponse[]>()
  for (let from = 0; from < seqs.length; from += SEQS_PER_BATCH) {
    let query = db.sql
      .selectFrom('responses')
      .select(['seq', ...responseColumns])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', seqs.slice(from, from + SEQS_PER_BATCH))
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    for (const { seq, ...row } of await query.orderBy('seq').orderBy('inserted_at').orderBy('id').execute()) {
      const known = found.get(seq)
      if (known === undefined) found.set(seq, [row])
      else known.push(row)
    }
  }
  return found
}
