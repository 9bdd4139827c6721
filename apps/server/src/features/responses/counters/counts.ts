import type { Insertable } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { listChanges } from '#platform/db/record-changes.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared, preparedForRows } from '#platform/db/statements/prepared.ts'
import type { Tables } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import type { Tally } from './tally.ts'

/**
 * Returns the slot of a dataset's counters, from 0 to 15, to which a user's changes are written. Slots keep annotators from
 * waiting for each other.
 */
const slotOf = (userId: string): number => Number.parseInt(userId.slice(-1), 16)
/**
 * The time of a dataset's last activity is stored in 256 slots, so that users don't wait for each other. Returns the slot that a
 * user's answers update, from 0 to 255.
 */
const activitySlotOf = (userId: string): number => Number.parseInt(userId.slice(-2), 16)

type ForUser = Pick<Insertable<Tables['user_counts']>, 'dataset_no' | 'user_id' | 'record_status' | 'response_status' | 'n'>
const addUserCounts = preparedForRows<ForUser>((db, _, rows) =>
  db.sql
    .insertInto('user_counts')
    .values(
      rows.map(({ dataset_no, user_id, record_status, response_status, n }) => ({
        dataset_no,
        user_id,
        record_status,
        response_status,
        n,
      })),
    )
    .onConflict((c) =>
      c
        .columns(['dataset_no', 'user_id', 'record_status', 'response_status'])
        .doUpdateSet((eb) => ({ n: eb('user_counts.n', '+', eb.ref('excluded.n')) })),
    ),
)

type ForRecords = Pick<Insertable<Tables['dataset_counts']>, 'dataset_no' | 'slot' | 'kind' | 'n'>
const addRecordCounts = preparedForRows<ForRecords>((db, _, rows) =>
  db.sql
    .insertInto('dataset_counts')
    .values(rows.map(({ dataset_no, slot, kind, n }) => ({ dataset_no, slot, kind, n })))
    .onConflict((c) =>
      c.columns(['dataset_no', 'slot', 'kind']).doUpdateSet((eb) => ({ n: eb('dataset_counts.n', '+', eb.ref('excluded.n')) })),
    ),
)

/**
 * Adds a tally to the dataset's counters, and adds the changed records to the list from which searches update their results. Must
 * be the last step of a command, apart from `touchActivity`.
 * @param by the user who makes the change; null if there is none
 */
export const writeTally = async (db: Db, datasetNo: number, by: string | null, tally: Tally): Promise<void> => {
  const slot = by === null ? 0 : slotOf(by)
  const records = tally.counts().map(({ kind, n }) => ({ dataset_no: datasetNo, slot, kind, n }))
  const users = tally.users().map((delta) => ({ dataset_no: datasetNo, ...delta }))
  await pipeline([addRecordCounts(db, records), addUserCounts(db, users), ...listChanges(db, datasetNo, by, tally.changed)])
}

type Activity = { readonly dataset_no: number; readonly slot: number; readonly last_activity_at: Micros }
const putActivity = prepared((db, { dataset_no, slot, last_activity_at }: Activity) =>
  db.sql
    .insertInto('dataset_activity')
    .values({ dataset_no, slot, last_activity_at })
    .onConflict((c) =>
      c
        .columns(['dataset_no', 'slot'])
        .doUpdateSet((eb) => ({ last_activity_at: eb.ref('excluded.last_activity_at') }))
        .whereRef('dataset_activity.last_activity_at', '<', 'excluded.last_activity_at'),
    ),
)

/** Sets the dataset's `last_activity_at` to `at` without writing to the dataset's own row. */
export const touchActivity = async (db: Db, datasetNo: number, userId: string, at: Micros): Promise<void> => {
  await putActivity(db, { dataset_no: datasetNo, slot: activitySlotOf(userId), last_activity_at: at })
}

/**
 * Adds users, in the order in which they answered, to the list of everyone who has ever answered in the dataset. Users are never
 * removed from this list.
 */
export const rememberUsers = async (db: Db, datasetNo: number, userIds: readonly string[], at: Micros): Promise<void> => {
  const rows = [...new Set(userIds)].map((user_id, i) => ({ dataset_no: datasetNo, user_id, inserted_at: at + i }))
  // Rows are locked in key order to prevent deadlocks.
  rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
  await db.dialect.insertMany(db.sql, 'dataset_users', rows, { ignoreConflicts: true })
}
