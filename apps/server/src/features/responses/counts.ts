import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/together.ts'
import type { Micros } from '#platform/time.ts'
import type { Tally } from './tally.ts'

/** The slot of a dataset's counters that a user writes to, 0 to 15: annotators seldom wait for one another. */
export const slotOf = (userId: string): number => Number.parseInt(userId.slice(-1), 16)
/** The same for what every answer writes to, 0 to 255. */
const activitySlotOf = (userId: string): number => Number.parseInt(userId.slice(-2), 16)

/** Adds what a tally holds to the dataset's counters. The last thing that a command does, apart from `touchActivity`. */
export const writeTally = async (db: Db, datasetNo: number, slot: number, tally: Tally): Promise<void> => {
  const steps: Promise<unknown>[] = []
  const records = tally.counts().map(({ kind, n }) => ({ dataset_no: datasetNo, slot, kind, n }))
  if (records.length > 0) {
    steps.push(
      db.sql
        .insertInto('dataset_counts')
        .values(records)
        .onConflict((c) =>
          c
            .columns(['dataset_no', 'slot', 'kind'])
            .doUpdateSet((eb) => ({ n: eb('dataset_counts.n', '+', eb.ref('excluded.n')) })),
        )
        .execute(),
    )
  }
  const users = tally.users().map((delta) => ({ dataset_no: datasetNo, ...delta }))
  for (let from = 0; from < users.length; from += 500) {
    steps.push(
      db.sql
        .insertInto('user_counts')
        .values(users.slice(from, from + 500))
        .onConflict((c) =>
          c
            .columns(['dataset_no', 'user_id', 'record_status', 'response_status'])
            .doUpdateSet((eb) => ({ n: eb('user_counts.n', '+', eb.ref('excluded.n')) })),
        )
        .execute(),
    )
  }
  await together(steps)
}

/** The dataset's `last_activity_at` moves to `at`, without a write to the dataset's own row. */
export const touchActivity = async (db: Db, datasetNo: number, userId: string, at: Micros): Promise<void> => {
  await db.sql
    .insertInto('dataset_activity')
    .values({ dataset_no: datasetNo, slot: activitySlotOf(userId), last_activity_at: at })
    .onConflict((c) =>
      c
        .columns(['dataset_no', 'slot'])
        .doUpdateSet((eb) => ({ last_activity_at: eb.ref('excluded.last_activity_at') }))
        .whereRef('dataset_activity.last_activity_at', '<', 'excluded.last_activity_at'),
    )
    .execute()
}

/** Users join the list of those who ever answered in the dataset and stay on it. */
export const rememberUsers = async (db: Db, datasetNo: number, userIds: readonly string[], at: Micros): Promise<void> => {
  const rows = [...new Set(userIds)].sort().map((user_id, i) => ({ dataset_no: datasetNo, user_id, inserted_at: at + i }))
  await db.dialect.insertMany(db.sql, 'dataset_users', rows, { ignoreConflicts: true })
}
