import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import { kyselyOn as kyselyBy, type Parts } from '../statements/kysely-on.ts'

const MAX_STATEMENTS = 500
/** Rows that one statement inserts: as many as are left of a list, the larger ones first. */
const ROWS_AT_ONCE = [128, 16, 1] as const

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
  /** Texts of inserts, one for each of `ROWS_AT_ONCE`: made anew they would be hashed anew. */
  readonly #inserts = new Map<string, readonly string[]>()
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
   * Inserts rows, many in a statement: in little more than half the time of one by one.
   * @param width how many values a row has
   * @param put adds the values of a row to those of the ones before, as `node:sqlite` takes them
   */
  insert<R>(insert: Insert, width: number, rows: readonly R[], put: (row: R, values: SQLInputValue[]) => unknown): void {
    const texts = this.#textsOf(insert, width)
    const values: SQLInputValue[] = []
    let at = 0
    for (const [i, count] of ROWS_AT_ONCE.entries()) {
      while (rows.length - at >= count) {
        values.length = 0
        for (const end = at + count; at < end; at += 1) put(rows[at] as R, values)
        this.get(texts[i] as string).statement.run(...values)
      }
    }
  }
  #textsOf({ into, after = '' }: Insert, width: number): readonly string[] {
    const key = `${into} values ${after}`
    const known = this.#inserts.get(key)
    if (known !== undefined) return known
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`
    const made = ROWS_AT_ONCE.map((count) => `${into} values ${Array.from({ length: count }, () => row).join(', ')} ${after}`)
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
