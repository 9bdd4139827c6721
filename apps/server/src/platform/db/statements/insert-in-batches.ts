import type { Insertable } from 'kysely'
import type { Db } from '../db.ts'
import type { TableName, Tables } from '../tables.ts'
import { pipelineInOrder } from './pipeline.ts'

/** Number of rows per batch. Building PostgreSQL's SQL for this many rows with long texts takes a few milliseconds. */
const ROWS_PER_BATCH = 128

/**
 * Like `insertMany`, but for many long rows. Inserts them in batches. With PostgreSQL, a command runs on the main thread, and the
 * batches let other requests run in between. Don't use it with `db.atCommit`, because nobody awaits the writes of `db.atCommit`.
 */
export const insertInBatches = async <T extends TableName, I>(
  db: Db,
  table: T,
  items: readonly I[],
  rowOf: (item: I) => Insertable<Tables[T]>,
): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(items.length / ROWS_PER_BATCH) }, (_, part) => part * ROWS_PER_BATCH)
  await pipelineInOrder(
    db.dialect.flush,
    starts.map((from) => () => db.dialect.insertMany(db.sql, table, items.slice(from, from + ROWS_PER_BATCH).map(rowOf))),
  )
}
