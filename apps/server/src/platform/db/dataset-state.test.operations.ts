import type { Db } from './db.ts'

/** Inserts the row of `dataset_state` that every dataset has, for tests that store rows of a dataset without creating it. */
export const ensureState = async (db: Db, dataset_no: number): Promise<void> => {
  await db.sql
    .insertInto('dataset_state')
    .values({ dataset_no, next_seq: 1, next_no: 1, content_version: 0, text_version: 0, assignments_version: 0 })
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
}
