import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { endLeasesOn } from '../leases.ts'

/** A record's number of submitted answers and its status, before and after a change. */
export type StatusInput = {
  readonly seq: number
  readonly from: { readonly submitted: number; readonly status: RecordStatus }
  readonly to: { readonly submitted: number; readonly status: RecordStatus }
  /** True for a record copied from another server, which keeps its times. */
  readonly keepsTime?: boolean | undefined
}

type Settled = {
  readonly dataset_no: number
  readonly seq: number
  readonly submitted: number
  readonly status: RecordStatus
}
/** The most common case: one more answer to a record whose status stays the same. */
const settleOne = prepared((db, { dataset_no, seq, submitted, status }: Settled) =>
  db.sql.updateTable('records').set({ submitted, status }).where('dataset_no', '=', dataset_no).where('seq', '=', seq),
)

const completes = ({ from, to }: StatusInput): boolean => from.status === 'pending' && to.status === 'completed'

/**
 * Stores the new counts and statuses, with one statement for all records that change in the same way. A new status updates the
 * record's `updated_at`. Completing a record ends all leases on it.
 * @param leased false if nobody has leases on the records, which the caller knows because it holds their locks
 */
export const settleRecords = async (
  db: Db,
  datasetNo: number,
  records: readonly StatusInput[],
  at: Micros,
  leased = true,
): Promise<void> => {
  const changed = records.filter(({ from, to }) => from.submitted !== to.submitted || from.status !== to.status)
  const sameChange = Map.groupBy(changed, ({ from, to, keepsTime }) => `${to.submitted} ${to.status} ${from.status} ${keepsTime}`)
  for (const group of sameChange.values()) {
    const { from, to, seq: only, keepsTime = false } = group[0] as StatusInput
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
