import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'

/* An annotator who has answered a record needs no lease on it, because the answer itself counts toward the overlap. Live leases
   therefore exist only on pending records, and the queue's counts rely on that. */

type Lease = { readonly dataset_no: number; readonly seq: number; readonly user_id: string }
const deleteLease = prepared((db, { dataset_no, seq, user_id }: Lease) =>
  db.sql.deleteFrom('leases').where('dataset_no', '=', dataset_no).where('seq', '=', seq).where('user_id', '=', user_id),
)

/** Ends a user's lease on a record. */
export const endLease = async (
  db: Db,
  datasetNo: number,
  { seq, user_id }: { readonly seq: number; readonly user_id: string },
): Promise<void> => {
  await deleteLease(db, { dataset_no: datasetNo, seq, user_id })
}

const deleteLeasesOn = prepared((db, { dataset_no, seq }: Omit<Lease, 'user_id'>) =>
  db.sql.deleteFrom('leases').where('dataset_no', '=', dataset_no).where('seq', '=', seq),
)

/** Ends all leases on completed records, which need no more answers. */
export const endLeasesOn = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  const [only] = seqs
  if (only === undefined) return
  if (seqs.length === 1) {
    await deleteLeasesOn(db, { dataset_no: datasetNo, seq: only })
    return
  }
  await db.sql.deleteFrom('leases').where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
}
