import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/* PostgreSQL grants a shared row lock past a transaction that waits for an exclusive one. If many users answer without a pause,
   an owner would never get the dataset's row. */

/** For a query from `datasets` that locks the row with `forShare`: lets earlier `forUpdate` requests go first. */
export const afterPendingChanges = (db: Db): RawBuilder<boolean> =>
  db.dialect.acquireSharedLock(sql<string>`'dataset ' || datasets.no`)

/** Call before locking a dataset's row with `forUpdate`: waits for current sharers only, not for later ones. */
export const lockDatasetChanges = (db: Db, no: number): Promise<void> => db.dialect.acquireLock(db.sql, `dataset ${no}`)
