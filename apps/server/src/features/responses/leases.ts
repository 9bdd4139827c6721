import type { Db } from '#platform/db/db.ts'

/* An annotator who has answered a record needs no lease on it, because the answer itself counts toward the overlap. Live leases
   therefore exist only on pending records, and the queue's counts rely on that. */

/** Ends the author's lease on a record, in the transaction of the answer. */
export const endLease = async (
  db: Db,
  { dataset_no, seq }: { readonly dataset_no: number; readonly seq: number },
  userId: string,
): Promise<void> => {
  await db.sql
    .deleteFrom('leases')
    .where('dataset_no', '=', dataset_no)
    .where('seq', '=', seq)
    .where('user_id', '=', userId)
    .execute()
}

/** Like `endLease`, for answers that are sent inside records. */
export const endManyLeases = async (
  db: Db,
  datasetNo: number,
  answers: readonly { readonly seq: number; readonly user_id: string }[],
): Promise<void> => {
  if (answers.length === 0) return
  const seqs = [...new Set(answers.map(({ seq }) => seq))]
  // Such answers are written by programs, so there is hardly ever a lease to end.
  const leases = await db.sql
    .selectFrom('leases')
    .select(['seq', 'user_id'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  const answered = new Set(answers.map(({ seq, user_id }) => `${seq} ${user_id}`))
  for (const { seq, user_id } of leases) {
    if (answered.has(`${seq} ${user_id}`)) await endLease(db, { dataset_no: datasetNo, seq }, user_id)
  }
}

/** Ends all leases on completed records, which need no more answers. */
export const endLeasesOn = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  await db.sql.deleteFrom('leases').where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
}
