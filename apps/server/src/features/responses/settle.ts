import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A record's number of submitted answers and status as they are stored, and as they shall be. */
export type Settling = {
  readonly seq: number
  readonly from: { readonly submitted: number; readonly status: RecordStatus }
  readonly to: { readonly submitted: number; readonly status: RecordStatus }
}

/** Stores them, for all records of the same outcome at once. A new status moves the record's `updated_at`. */
export const settleRecords = async (db: Db, datasetNo: number, records: readonly Settling[], at: Micros): Promise<void> => {
  const changed = records.filter(({ from, to }) => from.submitted !== to.submitted || from.status !== to.status)
  const alike = Map.groupBy(changed, ({ from, to }) => `${to.submitted} ${to.status} ${from.status}`)
  for (const group of alike.values()) {
    const { from, to } = group[0] as Settling
    await db.sql
      .updateTable('records')
      .set({ submitted: to.submitted, status: to.status, ...(from.status !== to.status && { updated_at: at }) })
      .where('dataset_no', '=', datasetNo)
      .where(
        'seq',
        'in',
        group.map(({ seq }) => seq),
      )
      .execute()
  }
}
