import type { Column } from './columns.ts'
import { type ColumnKind, type TableName, tables } from './tables.ts'

/** The kinds of a table's columns, keyed by column name. */
export const columnKindsOf = (table: TableName): { readonly [column: string]: ColumnKind } =>
  Object.fromEntries(Object.entries(tables[table]).map(([name, { kind }]) => [name, kind]))

/** The column that has a higher value in each new row of a table; null if there is none. */
export const risingColumnOf = (table: TableName): string | null => {
  const columns: readonly [string, Column<unknown, unknown>][] = Object.entries(tables[table])
  return columns.find(([, { rises }]) => rises === true)?.[0] ?? null
}

/** The kinds of all columns in all tables, keyed by column name. A column name has the same kind in every table. */
export const columnKinds: ReadonlyMap<string, ColumnKind> = (() => {
  const kinds = new Map<string, ColumnKind>()
  for (const [table, columns] of Object.entries(tables)) {
    for (const [name, { kind }] of Object.entries(columns)) {
      const known = kinds.get(name)
      if (known !== undefined && known !== kind) throw new Error(`column ${table}.${name} is ${kind}, elsewhere ${known}`)
      kinds.set(name, kind)
    }
  }
  return kinds
})()
