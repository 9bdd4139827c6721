import { join } from 'node:path'
import pg from 'pg'
import { migrateStore } from '#platform/db/revisions.ts'
import { DATABASE_FILE, openConnection } from '#platform/db/sqlite/connection.ts'

export type Place = { readonly folder: string; readonly url: string | undefined }

/**
 * Rows that older versions of the store don't have. Each entry names the first version that contains the row, and the statement
 * that removes the row.
 */
const LATER_ROWS = [{ since: '0004-webhook-deliveries', remove: "delete from counters where name = 'webhooks'" }]

/**
 * Tables that are not copied. Most of them are rebuilt when the store is opened. `migrations` contains the version of the store.
 */
const LEFT_OUT = /^(migrations|dataset_tokens|record_text.*|sqlite_.*)$/

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
const shared = (some: readonly string[], others: readonly string[]): string[] => some.filter((name) => others.includes(name))

const copyFile = (from: string, to: string, after: readonly string[]): void => {
  const connection = openConnection(join(to, DATABASE_FILE), 'writer')
  try {
    connection.prepare('ATTACH ? AS newer').run(join(from, DATABASE_FILE))
    const namesIn = (schema: string) =>
      connection
        .prepare(`SELECT name FROM ${schema}.sqlite_master WHERE type = 'table'`)
        .all()
        .map(({ name }) => String(name))
    const columnsIn = (schema: string, table: string) =>
      connection
        .prepare(`PRAGMA ${schema}.table_info("${table}")`)
        .all()
        .map(({ name }) => String(name))
    for (const table of shared(namesIn('main'), namesIn('newer'))) {
      if (LEFT_OUT.test(table)) continue
      const columns = shared(columnsIn('main', table), columnsIn('newer', table))
      connection.exec(`DELETE FROM main."${table}"`)
      connection.exec(`INSERT INTO main."${table}" (${quoted(columns)}) SELECT ${quoted(columns)} FROM newer."${table}"`)
      if (table === 'dataset_state' && columns.includes('text_version'))
        connection.exec('UPDATE main.dataset_state SET text_version = 0')
    }
    for (const statement of after) connection.exec(statement)
  } finally {
    connection.close()
  }
}

const copyDatabase = async (from: string, to: string, after: readonly string[]): Promise<void> => {
  const [newer, older] = [new pg.Client({ connectionString: from }), new pg.Client({ connectionString: to })]
  await Promise.all([newer.connect(), older.connect()])
  type Column = { readonly table_name: string; readonly column_name: string }
  const columnsOf = async (client: pg.Client) => {
    const { rows } = await client.query<Column>(
      `select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by c.ordinal_position`,
    )
    return Map.groupBy(rows, ({ table_name }) => table_name)
  }
  try {
    const [there, here] = await Promise.all([columnsOf(newer), columnsOf(older)])
    const namesOf = (columns: readonly Column[] | undefined) => (columns ?? []).map(({ column_name }) => column_name)
    for (const [table, columns] of here) {
      if (LEFT_OUT.test(table) || !there.has(table)) continue
      const names = quoted(shared(namesOf(columns), namesOf(there.get(table))))
      const { rows } = await newer.query<{ all: string }>(
        `select coalesce(json_agg(row), '[]')::text as all from (select ${names} from "${table}") as row`,
      )
      const known = await older.query(`select 1 from "${table}" limit 1`)
      if (known.rowCount !== 0) await older.query(`delete from "${table}"`)
      await older.query(
        `insert into "${table}" (${names}) overriding system value select ${names} from json_populate_recordset(null::"${table}", $1)`,
        [rows[0]?.all],
      )
      if (table === 'dataset_state' && names.includes('"text_version"'))
        await older.query('update dataset_state set text_version = 0')
      if (table === 'outbox' && names.includes('"no"'))
        await older.query(
          `select setval(pg_get_serial_sequence('outbox', 'no'), (select coalesce(max(no), 0) + 1 from outbox), false)`,
        )
    }
    for (const statement of after) await older.query(statement)
  } finally {
    await Promise.all([newer.end(), older.end()])
  }
}

/** Creates a store of an older version: its schema, and the data that the schema can hold. */
export const makeOlder = async (from: Place, to: Place, upTo: string): Promise<void> => {
  await migrateStore({ dataDir: to.folder, databaseUrl: to.url, databaseDirectUrl: undefined, sqliteTimeoutMs: 5000 }, upTo)
  const after = LATER_ROWS.filter(({ since }) => upTo < since).map(({ remove }) => remove)
  if (from.url === undefined || to.url === undefined) copyFile(from.folder, to.folder, after)
  else await copyDatabase(from.url, to.url, after)
}
