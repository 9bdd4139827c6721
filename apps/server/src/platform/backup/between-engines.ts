import { readAllTables, writeAllTables as writePostgresTables } from '#platform/db/postgres/copy-tables.ts'
import { encodeVector as forPostgres } from '#platform/db/postgres/vectors.ts'
import { readTable, writeAllTables as writeSqliteTables } from '#platform/db/sqlite/copy-tables.ts'
import { migrateFile } from '#platform/db/sqlite/revisions.ts'
import { encodeVector as forSqlite } from '#platform/db/sqlite/vectors.ts'
import { columnsOf, copiedTables, rowConverter } from './copied-rows.ts'

/**
 * Writes a snapshot of a PostgreSQL database to a new SQLite file.
 * @param onRows called after every few rows with the number of rows since the previous call
 * @throws StoreError
 */
export const fileFromPostgres = (url: string, path: string, onRows: (some: number) => void): Promise<void> =>
  readAllTables(url, (read) =>
    writeSqliteTables(path, copiedTables, async (write) => {
      for (const table of copiedTables) {
        const columns = columnsOf(table)
        const convertRow = rowConverter(table, { encodeVector: forSqlite, encodeBool: Number })
        for await (const rows of read(table, columns)) {
          write(table, columns, rows.map(convertRow))
          onRows(rows.length)
        }
      }
    }),
  )

/**
 * Copies data from a SQLite file into a PostgreSQL database, after upgrading the file's schema.
 * @param options `force`: replace existing data; `onRows`: called every few rows. @throws StoreError without having changed any
 * data
 */
export const postgresFromFile = async (
  url: string,
  path: string,
  options: { readonly force: boolean; readonly onRows: (some: number) => void },
): Promise<void> => {
  await migrateFile(path)
  await writePostgresTables(url, copiedTables, options, async (write) => {
    for (const table of copiedTables) {
      const convertRow = rowConverter(table, { encodeVector: forPostgres, encodeBool: Boolean })
      for (const rows of readTable(path, table, columnsOf(table))) {
        await write(table, rows.map(convertRow))
        options.onRows(rows.length)
      }
    }
  })
}
