import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import type { Tables } from '../tables.ts'

type Asked = Pick<pg.ClientBase, 'query'>

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class Connection implements DatabaseConnection {
  readonly #client: Asked
  constructor(client: Asked) {
    this.#client = client
  }
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#client.query(sql, [...parameters])
    decodeRows(rows)
    return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }
  // biome-ignore lint/correctness/useYield: pages are walked by key, nothing is streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is done by keyset pages')
  }
}

const refuse = (): Promise<never> => Promise.reject(new Error('transactions are begun by the store, not by a query'))

/**
 * A Kysely on a client, or on a pool for reads of one statement; begin and commit belong to the store. It does not wait
 * for one statement before it sends the next: those that are asked for together travel together.
 */
export const kyselyOn = (client: Asked): Sql => {
  const connection = new Connection(client)
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return new Kysely<Tables>({ dialect })
}
