import { CompiledQuery, type Insertable, sql as raw } from 'kysely'
import { columnKindsOf, risingColumnOf } from '../column-kinds.ts'
import type { Sql, StatementFunctions } from '../db.ts'
import type { ColumnKind, TableName, Tables } from '../tables.ts'
import { distributedTables } from './cluster-tables.ts'
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

/**
 * The arguments of `unnest`: for each column, a parameter that contains an array. @param from the number of the first parameter
 */
const arraysOf = (table: TableName, columns: readonly string[], from: number): string => {
  const kinds = columnKindsOf(table)
  const arrays = columns.map((column, i) => {
    const kind = kinds[column]
    if (kind === undefined) throw new Error(`${table} has no column ${column}`)
    return `$${from + i}::${arrayTypes[kind]}`
  })
  return arrays.join(', ')
}
const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

type Row = { readonly [column: string]: unknown }
const arrayOf = (rows: readonly Row[], column: string): unknown[] => rows.map((row) => row[column] ?? null)

/** Returns an `insert` statement for any number of rows. Each column's values are passed as one array. */
export const insertOf = (table: TableName, rows: readonly Row[]): { readonly text: string; readonly values: unknown[][] } => {
  const columns = Object.keys(rows[0] ?? {})
  return {
    text: `insert into "${table}" (${quoted(columns)}) select * from unnest(${arraysOf(table, columns, 1)})`,
    values: columns.map((column) => arrayOf(rows, column)),
  }
}

/** Cached insert statements, keyed by table and columns. They are never removed, because there are only a few. */
const insertTexts = new Map<string, string>()
const insertText = (table: TableName, columns: readonly string[], ignoreConflicts: boolean): string => {
  const name = `${table} ${columns} ${ignoreConflicts}`
  const known = insertTexts.get(name)
  if (known !== undefined) return known
  const source = distributedTables.has(table)
    ? ofDataset(`unnest(${arraysOf(table, columns.slice(1), 2)}) as new`)
    : `select * from unnest(${arraysOf(table, columns, 1)})`
  const text = `insert into "${table}" (${quoted(columns)}) ${source}${ignoreConflicts ? ' on conflict do nothing' : ''}`
  insertTexts.set(name, text)
  return text
}

/**
 * Selects a dataset's number and the columns of `new`, for an insert. `$1` is the dataset. The query reads the dataset's row in
 * `dataset_state`. From this row, a cluster knows which node stores the dataset, and sends the insert to this node. Without the
 * row, the cluster would collect the new rows on the coordinator and commit in two phases.
 */
export const ofDataset = (source: string, columns = 'new.*'): string =>
  `select state.dataset_no, ${columns} from dataset_state as state, ${source} where state.dataset_no = $1`

/** Reads no table, so a cluster runs it on the coordinator. The assigned numbers therefore increase across all nodes. */
const TAKE_NUMBERS = 'select nextval(pg_get_serial_sequence($1, $2)) as n from generate_series(1, $3::int8)'

/**
 * Assigns numbers to rows of a large table that has a column whose value increases with each new row. Only a single row may get
 * its number from the column's default. If several rows did, a cluster would collect the rows on the coordinator and commit in
 * two phases.
 */
const numbered = async <R extends Row>(sql: Sql, table: TableName, rows: readonly R[]): Promise<readonly R[]> => {
  const column = risingColumnOf(table)
  if (column === null || !distributedTables.has(table) || rows.length === 0) return rows
  const taken = await sql.executeQuery<{ n: number }>(CompiledQuery.raw(TAKE_NUMBERS, [table, column, rows.length]))
  return rows.map((row, i) => ({ ...row, [column]: taken.rows[i]?.n }))
}

/**
 * Inserts any number of rows with one statement. The statement has one array per column. For tables that a cluster distributes,
 * all rows must belong to the same dataset, which must exist.
 */
export const insertMany = async <T extends TableName>(
  sql: Sql,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  options?: { readonly ignoreConflicts?: boolean },
): Promise<void> => {
  const first: Row | undefined = rows[0]
  if (first === undefined) return
  const others = Object.keys(first).filter((column) => column !== 'dataset_no')
  const isOfDataset = distributedTables.has(table)
  const columns = isOfDataset ? ['dataset_no', ...others] : Object.keys(first)
  const values = isOfDataset
    ? [first['dataset_no'], ...others.map((column) => arrayOf(rows, column))]
    : columns.map((column) => arrayOf(rows, column))
  const ignoreConflicts = options?.ignoreConflicts === true
  const { numAffectedRows } = await sql.executeQuery(CompiledQuery.raw(insertText(table, columns, ignoreConflicts), values))
  if (!ignoreConflicts && numAffectedRows !== undefined && Number(numAffectedRows) !== rows.length)
    throw new Error(`dataset ${first['dataset_no']} does not exist, so nothing can be inserted into ${table}`)
}

/** A statement without tables. A cluster runs it on the coordinator, so all commands use the same locks. */
const SHARE_LOCKS = 'select pg_advisory_xact_lock_shared(hashtextextended(lock, 0)) from unnest($1::text[]) as lock'

/** The driver sends packets at the end of the event loop turn in which they were requested. The promise resolves after that. */
export const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const listedBy = (parameter: unknown) => raw<number>`(select unnest(${parameter}::int8[]))`

export const functionsWith = (statistics: Statistics): StatementFunctions => ({
  defer: () => Promise.resolve(false),
  insertMany: async (sql, table, rows, options) => {
    await insertMany(sql, table, await numbered(sql, table, rows), options)
    // Rows inserted together belong to one dataset.
    const datasetNo = (rows[0] as { readonly dataset_no?: unknown } | undefined)?.dataset_no
    statistics.note(table, rows.length, typeof datasetNo === 'number' ? datasetNo : null)
  },
  forUpdate: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  acquireLock: async (sql, lockName) => {
    // A transaction lock works through a pooler; a session lock would not.
    await raw`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(sql)
  },
  shareLocks: async (sql, lockNames) => {
    await sql.executeQuery(CompiledQuery.raw(SHARE_LOCKS, [[...lockNames]]))
  },
  tryShareLock: async (sql, lockName) => {
    const { rows } = await raw<{
      held: boolean
    }>`select pg_try_advisory_xact_lock_shared(hashtextextended(${lockName}, 0)) as held`.execute(sql)
    return rows[0]?.held === true
  },
  now: raw`(extract(epoch from statement_timestamp()) * 1000000)::int8`,
  listed: (numbers) => listedBy([...numbers]),
  listValue: (numbers) => [...numbers],
  listedBy,
  flush,
  commitUnsynced: async (sql) => {
    await raw`set local synchronous_commit = off`.execute(sql)
  },
  each: (values, kind) => raw`unnest(${[...values]}::${raw.raw(arrayTypes[kind])}) as each(value)`,
})
