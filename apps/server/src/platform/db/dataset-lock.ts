import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/* PostgreSQL grants shared row locks ahead of a transaction that waits for an exclusive one. If many users keep answering,
   an owner would never get the lock on the dataset's row. */

/** A condition for a query that locks a row of `datasets` with `forShare`: lets earlier `forUpdate` requests go first. */
export const afterPendingChanges = (db: Db): RawBuilder<boolean> =>
  db.dialect.acquireSharedLock(sql<string>`'dataset ' || datasets.no`)

/**
 * Call before locking a dataset's row with `forUpdate`. Waits only for current holders of the shared lock, not for later ones.
 */
export const lockDatasetChanges = (db: Db, no: number): Promise<void> => db.dialect.acquireLock(db.sql, `dataset ${no}`)
