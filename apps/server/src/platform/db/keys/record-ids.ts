import type { Db } from '../db.ts'

/** The IDs of a dataset's records, in the order of `seqs`. Deleted records are left out. */
export const recordIds = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'id'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  const ids = new Map(rows.map(({ seq, id }) => [seq, id]))
  return new Map(
    seqs.flatMap((seq): [number, string][] => {
      const id = ids.get(seq)
      return id === undefined ? [] : [[seq, id]]
    }),
  )
}
