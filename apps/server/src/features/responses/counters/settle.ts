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
  /** Whether the record's `updated_at` changes. */
  readonly movesTime: boolean
  /** Whether all leases on the record end. */
  readonly endsLeases: boolean
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

/** An answer that changes the record's status. */
const settleAndMoveOne = prepared(
  (db, { dataset_no, seq, submitted, status, updated_at }: Settled & { readonly updated_at: Micros }) =>
    db.sql
      .updateTable('records')
      .set({ submitted, status, updated_at })
      .where('dataset_no', '=', dataset_no)
      .where('seq', '=', seq),
)

/**
 * Stores the new counts and statuses, with one statement for all records that change in the same way, and ends the leases on
 * completed records.
 */
export const settleRecords = async (db: Db, datasetNo: number, records: readonly StatusInput[], at: Micros): Promise<void> => {
  const changed = records.filter(
    ({ from, to, movesTime }) => movesTime || from.submitted !== to.submitted || from.status !== to.status,
  )
  const sameChange = Map.groupBy(changed, ({ to, movesTime }) => `${to.submitted} ${to.status} ${movesTime}`)
  for (const group of sameChange.values()) {
    const { to, seq: only, movesTime } = group[0] as StatusInput
    if (group.length === 1) {
      const place = { dataset_no: datasetNo, seq: only }
      await (movesTime ? settleAndMoveOne(db, { ...place, ...to, updated_at: at }) : settleOne(db, { ...place, ...to }))
      continue
    }
    await db.sql
      .updateTable('records')
      .set({ submitted: to.submitted, status: to.status, ...(movesTime && { updated_at: at }) })
      .where('dataset_no', '=', datasetNo)
      .where(
        'seq',
        'in',
        group.map(({ seq }) => seq),
      )
      .execute()
  }
  await endLeasesOn(
    db,
    datasetNo,
    records.filter(({ endsLeases }) => endsLeases).map(({ seq }) => seq),
  )
}
