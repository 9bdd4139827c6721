import type { Db } from './db.ts'

/**
 * Tells caches that content which was there has changed. Call it once in every command that changes or deletes records, or
 * changes suggestions or vectors of records that were there before; new records need no call, `next_seq` tells of them. It locks
 * the row at which writers of the dataset queue up: call it late, beside the allocation of `seq`.
 */
export const contentChanged = async (db: Db, datasetNo: number): Promise<void> => {
  await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ content_version: eb('content_version', '+', 1) }))
    .where('dataset_no', '=', datasetNo)
    .execute()
}
