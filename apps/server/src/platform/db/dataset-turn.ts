import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/*
 * PostgreSQL lets who shares a row with others do so past somebody who waits for all of them to be done: where many answer without a pause, an
 * owner would wait for the dataset's row for as long as they do.
 */

/** For who holds a dataset's row with `forShare`, inside a query from `datasets`: lets those go first who have asked for it before. */
export const afterChanges = (db: Db): RawBuilder<boolean> => db.dialect.shareTurn(sql<string>`'dataset ' || datasets.no`)

/** For who takes a dataset's row with `forUpdate`, before that: waits for those that share it now, and not for those that come later. */
export const takeChangeTurn = (db: Db, no: number): Promise<void> => db.dialect.takeTurn(db.sql, `dataset ${no}`)
