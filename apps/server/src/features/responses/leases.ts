import type { Db } from '#platform/db/db.ts'
import { prepared, preparedForRows } from '#platform/db/statements/prepared.ts'

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

const deleteLeasesOn = preparedForRows<Omit<Lease, 'user_id'>>((db, { dataset_no }, rows) =>
  db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', dataset_no)
    .where(
      'seq',
      'in',
      rows.map(({ seq }) => seq),
    ),
)

/** Ends all leases on completed records, which need no more answers. */
export const endLeasesOn = (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> =>
  deleteLeasesOn(
    db,
    seqs.map((seq) => ({ dataset_no: datasetNo, seq })),
  )
