import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { Kysely } from 'kysely'
import type { Sql } from '../db.ts'
import type { Tables } from '../tables.ts'

/** Runs one statement. */
type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** The parts of a Kysely dialect that define how an engine prints SQL. */
export type Parts = Omit<Dialect, 'createDriver'>

class Connection implements DatabaseConnection {
  readonly #execute: Execute
  constructor(execute: Execute) {
    this.#execute = execute
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query) as Promise<QueryResult<R>>
  }
  // biome-ignore lint/correctness/useYield: nothing is streamed; results are read in keyset pages
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: use keyset pages')
  }
}

const rejectTransaction = (): Promise<never> => Promise.reject(new Error('only the store starts transactions, not a query'))
const done = (): Promise<void> => Promise.resolve()

/** A Kysely instance that runs statements through `execute`. The store handles transactions. */
export const kyselyOn = (execute: Execute, parts: Parts): Sql => {
  const connection = new Connection(execute)
  const driver: Driver = {
    init: done,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: rejectTransaction,
    commitTransaction: rejectTransaction,
    rollbackTransaction: rejectTransaction,
    releaseConnection: done,
    destroy: done,
  }
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => driver } })
}
