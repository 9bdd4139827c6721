import type { Db } from './db.ts'

/**
 * Invalidates caches of existing content. Call it once in every command that changes or deletes records, or changes suggestions
 * or vectors of existing records. New records need no call, because `next_seq` reveals them. It locks a row that all of the
 * dataset's writers need, so call it late, next to the allocation of `seq`.
 */
export const contentChanged = async (db: Db, datasetNo: number): Promise<void> => {
  await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ content_version: eb('content_version', '+', 1) }))
    .where('dataset_no', '=', datasetNo)
    .execute()
}

/**
 * Invalidates caches of assignments. Call it late, after locking records, in every command that changes assignments of existing
 * records.
 */
export const assignmentsChanged = async (db: Db, datasetNo: number): Promise<void> => {
  await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ assignments_version: eb('assignments_version', '+', 1) }))
    .where('dataset_no', '=', datasetNo)
    .execute()
}
