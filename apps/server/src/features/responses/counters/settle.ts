import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { endLeasesOn } from '../leases.ts'

/** A record's number of submitted answers and status as they are stored, and as they shall be. */
export type Settling = {
  readonly seq: number
  readonly from: { readonly submitted: number; readonly status: RecordStatus }
  readonly to: { readonly submitted: number; readonly status: RecordStatus }
  /** True for a record that was brought over with its times. */
  readonly keepsTime?: boolean | undefined
}

type Settled = {
  readonly dataset_no: number
  readonly seq: number
  readonly submitted: number
  readonly status: RecordStatus
}
/** One more answer to a record whose status stays: what most answers are. */
const settleOne = prepared((db, { dataset_no, seq, submitted, status }: Settled) =>
  db.sql.updateTable('records').set({ submitted, status }).where('dataset_no', '=', dataset_no).where('seq', '=', seq),
)

const completes = ({ from, to }: Settling): boolean => from.status === 'pending' && to.status === 'completed'

/**
 * Stores them, for all records of the same outcome at once. A new status moves the record's `updated_at`; a record that is complete now is in nobody's hand.
 * @param leased false where nobody has leases on the records, as is known under their locks
 */
export const settleRecords = async (
  db: Db,
  datasetNo: number,
  records: readonly Settling[],
  at: Micros,
  leased = true,
): Promise<void> => {
  const changed = records.filter(({ from, to }) => from.submitted !== to.submitted || from.status !== to.status)
  const alike = Map.groupBy(changed, ({ from, to, keepsTime }) => `${to.submitted} ${to.status} ${from.status} ${keepsTime}`)
  for (const group of alike.values()) {
    const { from, to, seq: only, keepsTime = false } = group[0] as Settling
    const moves = from.status !== to.status && !keepsTime
    if (group.length === 1 && from.status === to.status) {
      await settleOne(db, { dataset_no: datasetNo, seq: only, ...to })
      continue
    }
    await db.sql
      .updateTable('records')
      .set({ submitted: to.submitted, status: to.status, ...(moves && { updated_at: at }) })
      .where('dataset_no', '=', datasetNo)
      .where(
        'seq',
        'in',
        group.map(({ seq }) => seq),
      )
      .execute()
  }
  if (leased) {
    await endLeasesOn(
      db,
      datasetNo,
      changed.filter(completes).map(({ seq }) => seq),
    )
  }
}
