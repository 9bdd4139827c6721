import type { Db } from '#platform/db/db.ts'

/*
 * Who answers a record has no need of a lease on it: its place among the answers that the record waits for is the answer's now. So live
 * leases lie on pending records only, which the counts of the queue rely on.
 */

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

/** The same for answers that come inside records. */
export const endManyLeases = async (
  db: Db,
  datasetNo: number,
  answers: readonly { readonly seq: number; readonly user_id: string }[],
): Promise<void> => {
  if (answers.length === 0) return
  const seqs = [...new Set(answers.map(({ seq }) => seq))]
  // NOTE: such answers are those of programs: there is hardly ever a lease to end
  const held = await db.sql
    .selectFrom('leases')
    .select(['seq', 'user_id'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  const answered = new Set(answers.map(({ seq, user_id }) => `${seq} ${user_id}`))
  for (const { seq, user_id } of held) {
    if (answered.has(`${seq} ${user_id}`)) await endLease(db, { dataset_no: datasetNo, seq }, user_id)
  }
}

/** A complete record waits for no answer: ends everybody's leases on it. */
export const endLeasesOn = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  await db.sql.deleteFrom('leases').where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
}
