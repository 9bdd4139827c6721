import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A test item as its person sees it. */
export type OwnTest = {
  readonly seq: number
  /** The status of the person's answer; null if there is none. */
  readonly status: ResponseStatus | null
  readonly version: number
  /** When the answer last changed. */
  readonly updated_at: Micros
}

/** The status that the person sees for a test item's record. The actual status of the record is completed. */
export const shownStatus = ({ status }: Pick<OwnTest, 'status'>): RecordStatus =>
  status === 'submitted' ? 'completed' : 'pending'

/**
 * Whether a record can be a test item for the person: the record is completed, and the person has no regular answer to it. A
 * completed record that becomes pending is no longer a test item.
 */
export const isTestFor = (userId: string, datasetNo: number, seq: ReturnType<typeof sql.ref>) => sql<boolean>`
  (select status from records where dataset_no = ${datasetNo} and records.seq = ${seq}) = 'completed'
  and (select 1 from responses where dataset_no = ${datasetNo} and responses.seq = ${seq} and user_id = ${userId}) is null`

type Person = { readonly datasetNo: number; readonly userId: string }
const testsOf = prepared((db, { datasetNo, userId }: Person) =>
  db.sql
    .selectFrom('test_items')
    .select(['seq', 'status', 'version', 'updated_at'])
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where(isTestFor(userId, datasetNo, sql.ref('test_items.seq'))),
)

/** A person's test items in a dataset. The person must not be able to distinguish them from other records. */
export const ownTests = (db: Db, datasetNo: number, userId: string): Promise<readonly OwnTest[]> =>
  testsOf(db, { datasetNo, userId })
