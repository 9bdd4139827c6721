import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import { decodeRows } from '../codecs.ts'
import type { Sql } from '../db.ts'
import { kyselyOn as kyselyBy, type Parts } from '../statements/kysely-on.ts'

const MAX_STATEMENTS = 500
/** The possible numbers of rows in an insert statement. A list of rows is split into batches of these sizes, largest first. */
const ROWS_PER_BATCH = [128, 16, 1] as const

/**
 * `node:sqlite` binds numbers as doubles, but FTS5 ignores a rowid range given as doubles. Integers are therefore bound as
 * BigInt.
 */
const bind = (value: unknown): SQLInputValue => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value === undefined) return null
  return value as SQLInputValue
}

/** The parts of an insert statement before and after its list of rows. */
type Insert = { readonly into: string; readonly after?: string }

/** The most recently used prepared statements, keyed by text. Frequent statements are therefore compiled only once. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #cache = new LRUCache<string, { statement: StatementSync; returns: boolean }>({ max: MAX_STATEMENTS })
  /**
   * The texts of insert statements. Each `Insert` has one text for each size in `ROWS_PER_BATCH`. The texts are cached, because a
   * newly built text would have to be hashed for the statement cache.
   */
  readonly #inserts = new Map<string, readonly string[]>()
  constructor(db: DatabaseSync) {
    this.#db = db
  }
  get(sql: string): { statement: StatementSync; returns: boolean } {
    const known = this.#cache.get(sql)
    if (known !== undefined) return known
    const statement = this.#db.prepare(sql)
    const entry = { statement, returns: statement.columns().length > 0 }
    this.#cache.set(sql, entry)
    return entry
  }
  /**
   * Inserts many rows per statement, which takes little more than half the time of single inserts.
   * @param width number of values per row
   * @param put appends a row's values in the form that `node:sqlite` accepts
   */
  insert<R>(insert: Insert, width: number, rows: readonly R[], put: (row: R, values: SQLInputValue[]) => unknown): void {
    const texts = this.#textsOf(insert, width)
    const values: SQLInputValue[] = []
    let at = 0
    for (const [i, count] of ROWS_PER_BATCH.entries()) {
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
    const made = ROWS_PER_BATCH.map((count) => `${into} values ${Array.from({ length: count }, () => row).join(', ')} ${after}`)
    this.#inserts.set(key, made)
    return made
  }
  /** Returns a function that runs one statement with different parameters. */
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

/** A Kysely instance whose queries run synchronously in this thread. */
export const kyselyOn = (statements: Statements): Sql =>
  kyselyBy(({ sql, parameters }) => {
    try {
      return Promise.resolve(statements.run(sql, parameters))
    } catch (error) {
      return Promise.reject(error)
    }
  }, parts)
