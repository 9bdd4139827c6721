import type { Insertable } from 'kysely'
import type { Db } from '../db.ts'
import type { TableName, Tables } from '../tables.ts'
import { inTurn } from './together.ts'

/** So many rows with long texts are printed for PostgreSQL in a few milliseconds; SQLite takes them by 32. */
const ROWS_AT_ONCE = 128

/**
 * `insertMany` for many long rows, made of `items` some at a time: on PostgreSQL a command runs on the main thread, where others get their
 * turn between two parts. Not for `db.later`, whose writes nobody waits for.
 */
export const insertInTurn = async <T extends TableName, I>(
  db: Db,
  table: T,
  items: readonly I[],
  rowOf: (item: I) => Insertable<Tables[T]>,
): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(items.length / ROWS_AT_ONCE) }, (_, part) => part * ROWS_AT_ONCE)
  await inTurn(
    db.dialect.sent,
    starts.map((from) => () => db.dialect.insertMany(db.sql, table, items.slice(from, from + ROWS_AT_ONCE).map(rowOf))),
  )
}
