import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { Kysely } from 'kysely'
import type { Sql } from '../db.ts'
import type { Tables } from '../tables.ts'

/** Carries out one statement. */
export type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** How an engine writes its SQL: Kysely's own parts for it. */
export type Parts = Omit<Dialect, 'createDriver'>

class Connection implements DatabaseConnection {
  readonly #execute: Execute
  constructor(execute: Execute) {
    this.#execute = execute
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query) as Promise<QueryResult<R>>
  }
  // biome-ignore lint/correctness/useYield: pages are walked by key, nothing is streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is done by keyset pages')
  }
}

const refuse = (): Promise<never> => Promise.reject(new Error('transactions are begun by the store, not by a query'))
const done = (): Promise<void> => Promise.resolve()

/** A Kysely on something that carries out statements; begin and commit belong to the store. */
export const kyselyOn = (execute: Execute, parts: Parts): Sql => {
  const connection = new Connection(execute)
  const driver: Driver = {
    init: done,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: done,
    destroy: done,
  }
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => driver } })
}
