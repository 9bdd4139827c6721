import type { Db } from './db.ts'

/* Commands lock datasets and users by name, not by row. In a cluster, every node has a copy of these rows, and locking one row
   locks the whole table. Commands that only use a dataset or user share its lock. A command that changes a dataset or user
   acquires its lock exclusively. Such a command waits only for commands that already hold the lock, because later requests for
   the lock wait behind the exclusive request. Acquire a lock in one statement, and read the data that it protects in a later
   statement. A statement that waits for a lock sees the data as it was before the wait. */

const datasetLock = (no: number): string => `dataset ${no}`

/**
 * Users share 4,096 locks, so that a command with any number of users fits into the lock table of PostgreSQL. The end of the ID
 * determines the lock, because this part of the ID is random.
 */
const userLock = (id: string): string => `user ${id.slice(-3).toLowerCase()}`

/** Keeps a dataset, its settings and its schema unchanged until the end of the command. */
export const holdDataset = (db: Db, no: number): Promise<void> => db.dialect.shareLocks(db.sql, [datasetLock(no)])

/** Like `holdDataset`, but returns false instead of waiting for a command that changes the dataset. */
export const tryHoldDataset = (db: Db, no: number): Promise<boolean> => db.dialect.tryShareLock(db.sql, datasetLock(no))

/** Holds a dataset and a user with one statement. */
export const holdDatasetAndUser = (db: Db, no: number, userId: string): Promise<void> =>
  db.dialect.shareLocks(db.sql, [datasetLock(no), userLock(userId)])

/** Waits until no other command uses the dataset, and keeps others from using it until the end of the command. */
export const lockDatasetChanges = (db: Db, no: number): Promise<void> => db.dialect.acquireLock(db.sql, datasetLock(no))

/**
 * Keeps users, their rights and their memberships unchanged until the end of the command. Call it once per command, after
 * holding a dataset and before locking records.
 */
export const holdUsers = async (db: Db, ids: readonly string[]): Promise<void> => {
  const locks = [...new Set(ids.map(userLock))].sort()
  if (locks.length > 0) await db.dialect.shareLocks(db.sql, locks)
}

/** Waits until no other command holds the user's lock. Then locks the user until the end of the command. */
export const lockUser = (db: Db, id: string): Promise<void> => db.dialect.acquireLock(db.sql, userLock(id))

/** `lockUser` for several users, in the order in which every command locks them. */
export const lockUsers = async (db: Db, ids: readonly string[]): Promise<void> => {
  for (const lock of new Set(ids.map(userLock).sort())) await db.dialect.acquireLock(db.sql, lock)
}
