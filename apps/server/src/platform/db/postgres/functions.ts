import { CompiledQuery, type Insertable, sql as raw } from 'kysely'
import { columnKindsOf } from '../column-kinds.ts'
import type { Sql, StatementFunctions } from '../db.ts'
import type { ColumnKind, TableName, Tables } from '../tables.ts'
import type { Statistics } from './statistics.ts'

const arrayTypes: { readonly [K in ColumnKind]: string } = {
  int: 'int8[]',
  real: 'float8[]',
  text: 'text[]',
  uuid: 'uuid[]',
  time: 'int8[]',
  bool: 'boolean[]',
  json: 'text[]',
  blob: 'bytea[]',
  vector: 'vector[]',
}

/** Insert statements by table and columns. There are only a few of them. */
const insertTexts = new Map<string, string>()
const insertText = (table: TableName, columns: readonly string[], ignoreConflicts: boolean): string => {
  const name = `${table} ${columns} ${ignoreConflicts}`
  const known = insertTexts.get(name)
  if (known !== undefined) return known
  const kinds = columnKindsOf(table)
  const names = columns.map((c) => `"${c}"`).join(', ')
  const arrays = columns.map((c, i) => {
    const kind = kinds[c]
    if (kind === undefined) throw new Error(`${table} has no column ${c}`)
    return `$${i + 1}::${arrayTypes[kind]}`
  })
  const text = `insert into "${table}" (${names}) select * from unnest(${arrays.join(', ')})${ignoreConflicts ? ' on conflict do nothing' : ''}`
  insertTexts.set(name, text)
  return text
}

/** Inserts any number of rows with one statement that has an array per column. */
export const insertMany = async <T extends TableName>(
  sql: Sql,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  options?: { readonly ignoreConflicts?: boolean },
): Promise<void> => {
  const first = rows[0]
  if (first === undefined) return
  const columns = Object.keys(first)
  const values = columns.map((c) => (rows as readonly { [column: string]: unknown }[]).map((row) => row[c] ?? null))
  await sql.executeQuery(CompiledQuery.raw(insertText(table, columns, options?.ignoreConflicts === true), values))
}

/** A packet is sent at the end of the event loop turn in which it was requested. */
export const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const functionsWith = (statistics: Statistics): StatementFunctions => ({
  defer: () => Promise.resolve(false),
  insertMany: async (sql, table, rows, options) => {
    await insertMany(sql, table, rows, options)
    // Rows inserted together belong to one dataset.
    const datasetNo = (rows[0] as { readonly dataset_no?: unknown } | undefined)?.dataset_no
    statistics.note(table, rows.length, typeof datasetNo === 'number' ? datasetNo : null)
  },
  forUpdate: (query) => query.forUpdate(),
  forShare: (query) => query.forKeyShare(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  acquireLock: async (sql, lockName) => {
    // A transaction lock works through a pooler; a session lock would not.
    await raw`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(sql)
  },
  // A condition is evaluated before its rows are locked.
  acquireSharedLock: (lockName) => raw`pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0)) is not null`,
  now: raw`(extract(epoch from statement_timestamp()) * 1000000)::int8`,
  listed: (numbers) => raw`(select unnest(${[...numbers]}::int8[]))`,
  flush,
  commitUnsynced: async (sql) => {
    await raw`set local synchronous_commit = off`.execute(sql)
  },
  each: (values, kind) => raw`unnest(${[...values]}::${raw.raw(arrayTypes[kind])}) as each(value)`,
})
