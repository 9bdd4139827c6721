import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import { kyselyOn as kyselyBy, type Parts } from '../kysely-on.ts'

const MAX_STATEMENTS = 500
const ROWS_AT_ONCE = 32

/**
 * NOTE: `node:sqlite` binds numbers as doubles, and FTS5 then ignores a rowid range: integers are bound as BigInt.
 */
const bind = (value: unknown): SQLInputValue => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value === undefined) return null
  return value as SQLInputValue
}

/** A statement that inserts rows, around their list. */
export type Insert = { readonly into: string; readonly after?: string }

/** Prepared statements by text, least recently used first, so that a hot statement is compiled once. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #cache = new Map<string, { statement: StatementSync; returns: boolean }>()
  /** Texts of inserts, of one row and of `ROWS_AT_ONCE`: made anew they would be hashed anew. */
  readonly #inserts = new Map<string, { readonly one: string; readonly many: string }>()
  constructor(db: DatabaseSync) {
    this.#db = db
  }
  get(sql: string): { statement: StatementSync; returns: boolean } {
    const known = this.#cache.get(sql)
    if (known !== undefined) {
      this.#cache.delete(sql)
      this.#cache.set(sql, known)
      return known
    }
    const statement = this.#db.prepare(sql)
    const entry = { statement, returns: statement.columns().length > 0 }
    this.#cache.set(sql, entry)
    if (this.#cache.size > MAX_STATEMENTS) {
      const oldest = this.#cache.keys().next().value
      if (oldest !== undefined) this.#cache.delete(oldest)
    }
    return entry
  }
  /**
   * Inserts rows, `ROWS_AT_ONCE` in a statement: a third less time than one by one.
   * @param width how many values a row has
   * @param put adds the values of a row to those of the ones before, as `node:sqlite` takes them
   */
  insert<R>(insert: Insert, width: number, rows: readonly R[], put: (row: R, values: SQLInputValue[]) => unknown): void {
    const { one, many } = this.#textsOf(insert, width)
    const values: SQLInputValue[] = []
    const run = (from: number, count: number) => {
      const { statement } = this.get(count === 1 ? one : many)
      values.length = 0
      for (let i = from; i < from + count; i++) put(rows[i] as R, values)
      statement.run(...values)
    }
    const whole = rows.length - (rows.length % ROWS_AT_ONCE)
    for (let from = 0; from < whole; from += ROWS_AT_ONCE) run(from, ROWS_AT_ONCE)
    for (let from = whole; from < rows.length; from++) run(from, 1)
  }
  #textsOf({ into, after = '' }: Insert, width: number): { readonly one: string; readonly many: string } {
    const key = `${into} values ${after}`
    const known = this.#inserts.get(key)
    if (known !== undefined) return known
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`
    const text = (count: number) => `${into} values ${Array.from({ length: count }, () => row).join(', ')} ${after}`
    const made = { one: text(1), many: text(ROWS_AT_ONCE) }
    this.#inserts.set(key, made)
    return made
  }
  /** One statement for many rows of parameters. */
  many(sql: string): (parameters: readonly unknown[]) => void {
    const { statement } = this.get(sql)
    return (parameters) => {
      statement.run(...parameters.map(bind))
    }
  }
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const { statement, returns } = this.get(sql)
    const bound = parameters.map(bind)
    if (returns) return { rows: decodeRows(statement.all(...bound)) }
    const { changes, lastInsertRowid } = statement.run(...bound)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

const parts: Parts = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

/** A Kysely whose queries run at once in this thread. */
export const kyselyOn = (statements: Statements): Sql =>
  kyselyBy(({ sql, parameters }) => {
    try {
      return Promise.resolve(statements.run(sql, parameters))
    } catch (error) {
      return Promise.reject(error)
    }
  }, parts)
