import type { Db } from '../db.ts'
import { holdDataset } from '../locks.ts'

/** Prevents changes to a dataset until the end of the command, and returns the dataset. Undefined if it has been deleted. */
export const heldDataset = async (db: Db, no: number) => {
  await holdDataset(db, no)
  return db.sql
    .selectFrom('datasets')
    .select(['id', 'min_submitted', 'review'])
    .where('no', '=', no)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
}
