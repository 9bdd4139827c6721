import pg from 'pg'
import { migrations } from '../migrate.ts'
import { StoreError } from '../store.ts'
import type { TableName } from '../tables.ts'
import { insertOf } from './functions.ts'
import { numberTypes } from './number-types.ts'
import { migrateOn, revisionsOn } from './revisions.ts'
import { CONNECT_MS, unusable } from './unusable.ts'

type Row = { readonly [column: string]: unknown }

const ROWS_PER_BATCH = 100

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

const withClient = async <R>(url: string, begin: string, work: (client: pg.Client) => Promise<R>): Promise<R> => {
  const client = new pg.Client({ connectionString: url, types: numberTypes, connectionTimeoutMillis: CONNECT_MS })
  // When a connection breaks, its pending statement fails and reports the error, so this event needs no handling.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    throw unusable(error)
  } finally {
    await client.end()
  }
}

/** Reads a table in chunks of a few rows. */
export type ReadTable = (table: TableName, columns: readonly string[]) => AsyncIterable<readonly Row[]>

/**
 * Gives `work` access to a snapshot of a whole database. Servers may keep running.
 * @throws StoreError if there is no Postil database, or if its schema belongs to another version of Postil
 */
export const readAllTables = async <R>(url: string, work: (read: ReadTable) => Promise<R>): Promise<R> => {
  const applied = await revisionsOn(url)
  if (applied.length === 0) throw new StoreError('The PostgreSQL database contains no Postil data.')
  const missing = migrations.filter(({ name }) => !applied.includes(name))
  if (missing.length > 0 || applied.length !== migrations.length) {
    throw new StoreError(
      "The schema of the PostgreSQL database belongs to another version of Postil. Use that version to back it up. See 'postil database revisions'.",
    )
  }
  return withClient(url, 'start transaction isolation level repeatable read read only', (client) =>
    work(async function* (table, columns) {
      await client.query(`declare whole no scroll cursor for select ${quoted(columns)} from "${table}"`)
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${ROWS_PER_BATCH} from whole`)
        if (rows.length === 0) break
        yield rows
      }
      await client.query('close whole')
    }),
  )
}

const refuseData = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ full: boolean }>(
    'select exists (select from users) or exists (select from workspaces) or exists (select from datasets) as full',
  )
  if (rows[0]?.full !== true) return
  throw new StoreError(
    'The PostgreSQL database already contains data. Choose another database, or use --force to replace all data.',
  )
}

/**
 * Drops the vector indexes of the previous data. Each index accepts only vectors of one length for one dataset number. In the new
 * data, that number may belong to a dataset with vectors of another length.
 */
const dropVectorIndexes = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(indexname) as name from pg_indexes where schemaname = current_schema() and indexname like 'vectors\\_hnsw\\_%'`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
}

/** Writes rows into a table. */
type WriteTable = (table: TableName, rows: readonly Row[]) => Promise<void>

/**
 * Replaces all data in a database in one transaction, after upgrading its schema.
 * @param force whether to replace existing data
 * @throws StoreError; no data has been changed in this case. If the database contained no data or `force` is set, the schema may
 * have been upgraded
 */
export const writeAllTables = async (
  url: string,
  tables: readonly TableName[],
  { force }: { readonly force: boolean },
  work: (write: WriteTable) => Promise<void>,
): Promise<void> => {
  // Checks for data before the schema is upgraded. A refused database therefore stays unchanged, and a server of the older
  // version can still use it.
  if (!force && (await revisionsOn(url)).length > 0) await withClient(url, 'begin read only', refuseData)
  await migrateOn(url)
  await withClient(url, 'begin', async (client) => {
    if (!force) await refuseData(client)
    await dropVectorIndexes(client)
    // The audit log normally refuses deletions, but here the backup's rows replace its rows.
    await client.query('alter table audit disable trigger user')
    await client.query(`truncate ${quoted([...tables, 'record_text', 'dataset_tokens'])}`)
    await client.query('alter table audit enable trigger user')
    await work(async (table, rows) => {
      const { text, values } = insertOf(table, rows)
      if (rows.length > 0) await client.query(text, values)
    })
    await client.query(
      `select setval(pg_get_serial_sequence('outbox', 'no'), (select coalesce(max(no), 0) + 1 from outbox), false)`,
    )
  })
  await withClient(url, 'begin', async (client) => {
    await client.query(`analyze ${quoted(tables)}`)
  })
}
