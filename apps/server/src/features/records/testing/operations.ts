// This import also registers the operations of the application and of the answer tests. The operations below are only for record
// tests.
import { hitsOf } from '#features/responses/testing/operations.ts'
import type { Db } from '#platform/db/db.ts'
import { forEachSeq } from '#platform/db/keys/seq-list.ts'
import { query } from '#platform/db/operations.ts'

const idsOf = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<string[]> => {
  if (seqs.length === 0) return []
  const rows = await db.sql
    .selectFrom('records')
    .select('id')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', seqs)
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}

export const recordsWithToken = query(
  'test.records-with-token',
  async (db, { dataset_id, token }: { readonly dataset_id: string; readonly token: string }): Promise<string[]> => {
    const { no } = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirstOrThrow()
    const seqs: number[] = []
    forEachSeq(await hitsOf(db, no, token), (seq) => seqs.push(seq))
    return idsOf(db, no, seqs)
  },
)
