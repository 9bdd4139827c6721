import { encodeVector as forPostgres } from '#platform/db/postgres/vectors.ts'
import { readWhole, writeWhole } from '#platform/db/postgres/whole.ts'
import { migrateFile } from '#platform/db/sqlite/revisions.ts'
import { encodeVector as forSqlite } from '#platform/db/sqlite/vectors.ts'
import { readTable, writeFileWhole } from '#platform/db/sqlite/whole.ts'
import { carriedTables, carrier, columnsOf } from './carried-rows.ts'

/** Writes a PostgreSQL database as it is at one moment into a new file of the embedded store. @param onRows told of every few. @throws StoreError */
export const fileFromPostgres = (url: string, path: string, onRows: (some: number) => void): Promise<void> =>
  readWhole(url, (read) =>
    writeFileWhole(path, carriedTables, async (write) => {
      for (const table of carriedTables) {
        const columns = columnsOf(table)
        const carry = carrier(table, { encodeVector: forSqlite, encodeBool: Number })
        for await (const rows of read(table, columns)) {
          write(table, columns, rows.map(carry))
          onRows(rows.length)
        }
      }
    }),
  )

/**
 * Puts what a file of the embedded store holds into a PostgreSQL database; the file is brought up to date first.
 * @param options `force`: replace data that is there; `onRows`: told of every few. @throws StoreError, and nothing of the data was changed
 */
export const postgresFromFile = async (
  url: string,
  path: string,
  options: { readonly force: boolean; readonly onRows: (some: number) => void },
): Promise<void> => {
  await migrateFile(path)
  await writeWhole(url, carriedTables, options, async (write) => {
    for (const table of carriedTables) {
      const carry = carrier(table, { encodeVector: forPostgres, encodeBool: Boolean })
      for (const rows of readTable(path, table, columnsOf(table))) {
        await write(table, rows.map(carry))
        options.onRows(rows.length)
      }
    }
  })
}
