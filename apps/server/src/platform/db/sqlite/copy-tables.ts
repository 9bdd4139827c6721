import type { SQLInputValue } from 'node:sqlite'
import type { TableName } from '../tables.ts'
import { openConnection } from './connection.ts'
import { migrateFile } from './revisions.ts'

type Row = { readonly [column: string]: unknown }

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

const ROWS_PER_BATCH = 500
const CHARACTERS_PER_BATCH = 8_000_000

const weightOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Reads a table, a few rows at a time. Nobody else may have the database file open. */
export function* readTable(path: string, table: TableName, columns: readonly string[]): Generator<readonly Row[]> {
  const connection = openConnection(path, 'reader')
  try {
    let rows: Row[] = []
    let weight = 0
    for (const row of connection.prepare(`select ${quoted(columns)} from "${table}"`).iterate()) {
      rows.push(row)
      weight += weightOf(row)
      if (rows.length < ROWS_PER_BATCH && weight < CHARACTERS_PER_BATCH) continue
      yield rows
      rows = []
      weight = 0
    }
    if (rows.length > 0) yield rows
  } finally {
    connection.close()
  }
}

/** Writes rows into a table of the new file. */
type WriteRows = (table: TableName, columns: readonly string[], rows: readonly Row[]) => void

/** Creates a database file with the newest schema. In one transaction, `work` writes everything that the file will contain. */
export const writeAllTables = async (
  path: string,
  tables: readonly TableName[],
  work: (write: WriteRows) => Promise<void>,
): Promise<void> => {
  await migrateFile(path)
  const connection = openConnection(path, 'writer')
  try {
    connection.exec('BEGIN IMMEDIATE')
    for (const table of tables) connection.exec(`DELETE FROM "${table}"`)
    await work((table, columns, rows) => {
      const insert = connection.prepare(
        `INSERT INTO "${table}" (${quoted(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...columns.map((column) => row[column] as SQLInputValue))
    })
    connection.exec('COMMIT')
    // Afterwards, the file alone is the complete database.
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
}
