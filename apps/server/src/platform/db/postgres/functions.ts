import { CompiledQuery, sql as raw } from 'kysely'
import type { DialectFunctions, Sql } from '../db.ts'
import type { ColumnKind } from '../tables.ts'
import { columnKindsOf } from '../tables.ts'

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

/** One statement with an array per column, whatever the number of rows. */
const insertMany: DialectFunctions['insertMany'] = async (sql, table, rows, options) => {
  const first = rows[0]
  if (first === undefined) return
  const kinds = columnKindsOf(table)
  const columns = Object.keys(first)
  const names = columns.map((c) => `"${c}"`).join(', ')
  const arrays = columns.map((c, i) => {
    const kind = kinds[c]
    if (kind === undefined) throw new Error(`${table} has no column ${c}`)
    return `$${i + 1}::${arrayTypes[kind]}`
  })
  const text = `insert into "${table}" (${names}) select * from unnest(${arrays.join(', ')})${options?.ignoreConflicts === true ? ' on conflict do nothing' : ''}`
  const values = columns.map((c) => (rows as readonly { [column: string]: unknown }[]).map((row) => row[c] ?? null))
  await (sql as Sql).executeQuery(CompiledQuery.raw(text, values))
}

export const functions: Pick<DialectFunctions, 'insertMany' | 'forUpdate' | 'forShare' | 'skipLocked' | 'listed'> = {
  insertMany,
  forUpdate: (query) => query.forUpdate(),
  forShare: (query) => query.forKeyShare(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  listed: (numbers) => raw`(select unnest(${[...numbers]}::int8[]))`,
}
