import type { Db } from '#platform/db/db.ts'

/* An annotator who has answered a record needs no lease on it, because the answer itself counts toward the overlap. Live leases
   therefore exist only on pending records, and the queue's counts rely on that. */

/** Ends a user's lease on a record. */
export const endLease = async (
  db: Db,
  datasetNo: number,
  { seq, user_id }: { readonly seq: number; readonly user_id: string },
): Promise<void> => {
  await db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .where('user_id', '=', user_id)
    .execute()
}

/** Ends all leases on completed records, which need no more answers. */
export const endLeasesOn = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  await db.sql.deleteFrom('leases').where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
}
