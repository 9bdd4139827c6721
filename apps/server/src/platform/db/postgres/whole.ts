import pg from 'pg'
import { migrations } from '../migrate.ts'
import { StoreError } from '../store.ts'
import type { TableName } from '../tables.ts'
import { kyselyOn } from './driver.ts'
import { insertMany } from './functions.ts'
import { numberTypes } from './number-types.ts'
import { migrateOn, revisionsOn } from './revisions.ts'
import { CONNECT_MS, unusable } from './unusable.ts'

type Row = { readonly [column: string]: unknown }

const ROWS_AT_ONCE = 100

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

const withClient = async <R>(url: string, begin: string, work: (client: pg.Client) => Promise<R>): Promise<R> => {
  const client = new pg.Client({ connectionString: url, types: numberTypes, connectionTimeoutMillis: CONNECT_MS })
  // NOTE: a connection that breaks fails the statement that waits for it, which says so
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

/** Reads a table a few rows at a time. */
export type ReadTable = (table: TableName, columns: readonly string[]) => AsyncIterable<readonly Row[]>

/**
 * Lets somebody read a whole database as it is at one moment; servers go on meanwhile.
 * @throws StoreError where there is none of ours, or one of another version
 */
export const readWhole = async <R>(url: string, work: (read: ReadTable) => Promise<R>): Promise<R> => {
  const applied = await revisionsOn(url)
  if (applied.length === 0) throw new StoreError('There is no Postil data in the PostgreSQL database.')
  const missing = migrations.filter(({ name }) => !applied.includes(name))
  if (missing.length > 0 || applied.length !== migrations.length) {
    throw new StoreError(
      "The PostgreSQL database has the schema of another version, which has to back it up: see 'postil database revisions'.",
    )
  }
  return withClient(url, 'start transaction isolation level repeatable read read only', (client) =>
    work(async function* (table, columns) {
      await client.query(`declare whole no scroll cursor for select ${quoted(columns)} from "${table}"`)
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from whole`)
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
  throw new StoreError('The PostgreSQL database has data already. Choose another one, or replace it all with --force.')
}

/** Indexes that were made for the vectors of one dataset would refuse those of another. */
const dropVectorIndexes = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(indexname) as name from pg_indexes where schemaname = current_schema() and indexname like 'vectors\\_hnsw\\_%'`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
}

/** Writes rows into a table. */
export type WriteTable = (table: TableName, rows: readonly Row[]) => Promise<void>

/**
 * Replaces everything in a database in one transaction, after its schema was brought up to date.
 * @param force replace data that is there. @throws StoreError, and nothing was changed but the schema brought up to date, where there was no data or it was to be replaced
 */
export const writeWhole = async (
  url: string,
  tables: readonly TableName[],
  { force }: { readonly force: boolean },
  work: (write: WriteTable) => Promise<void>,
): Promise<void> => {
  // NOTE: what is refused is left as it is, for a server of the older version too
  if (!force && (await revisionsOn(url)).length > 0) await withClient(url, 'begin read only', refuseData)
  await migrateOn(url)
  await withClient(url, 'begin', async (client) => {
    if (!force) await refuseData(client)
    await dropVectorIndexes(client)
    // NOTE: the audit log refuses to lose its rows, which here give way to those of the backup
    await client.query('alter table audit disable trigger user')
    await client.query(`truncate ${quoted([...tables, 'record_text', 'dataset_tokens'])}`)
    await client.query('alter table audit enable trigger user')
    const sql = kyselyOn(client)
    await work((table, rows) => insertMany(sql, table, rows as never))
    await client.query(
      `select setval(pg_get_serial_sequence('outbox', 'no'), (select coalesce(max(no), 0) + 1 from outbox), false)`,
    )
  })
  await withClient(url, 'begin', async (client) => {
    await client.query(`analyze ${quoted(tables)}`)
  })
}
