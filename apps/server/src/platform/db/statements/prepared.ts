import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, DialectFunctions } from '../db.ts'
import { pipeline } from './pipeline.ts'

/**
 * Marks the position of a value in a statement. `name` is the value's name. In a statement for several rows, `row` is the index
 * of the value's row.
 */
class Placeholder {
  readonly name: string
  readonly row: number
  constructor(name: string, row: number) {
    this.name = name
    this.row = row
  }
}

const placeholdersOf = <V extends object>(row: number): V =>
  new Proxy({} as V, { get: (_, name) => new Placeholder(String(name), row) })

const run = async <V extends object, R>(db: Db, statement: CompiledQuery<R>, rows: readonly V[]): Promise<readonly R[]> => {
  const parameters = statement.parameters.map((value) =>
    value instanceof Placeholder ? (rows[value.row] as { readonly [name: string]: unknown })[value.name] : value,
  )
  return (await db.sql.executeQuery<R>({ ...statement, parameters })).rows
}

/**
 * A statement for frequent requests. It is built and compiled to SQL once. After that, each run only supplies the values. Without
 * this, building the statement would cost the process about as much as all other work for it (`npm run bench`, `next page` and
 * `submit`).
 *
 * @param build creates the statement. It receives placeholders instead of values. It can pass them to the query builder, but
 * can't read values from them
 */
export const prepared = <V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): ((db: Db, values: V) => Promise<readonly R[]>) => {
  const runShape = preparedForShapes((db, _: '', values: V) => build(db, values))
  return (db, values) => runShape(db, '', values)
}

/**
 * Returns a function that compiles the statement for a key, or returns the statement that it compiled earlier. Each database
 * engine has its own statements.
 */
const createStatements = <R>() => {
  const made = new WeakMap<DialectFunctions, Map<string | number, CompiledQuery<R>>>()
  return (db: Db, key: string | number, build: () => Compilable<R>): CompiledQuery<R> => {
    const ofEngine = made.get(db.dialect) ?? new Map<string | number, CompiledQuery<R>>()
    made.set(db.dialect, ofEngine)
    const known = ofEngine.get(key)
    if (known !== undefined) return known
    const statement = build().compile()
    ofEngine.set(key, statement)
    return statement
  }
}

/**
 * Like `prepared`, for a statement whose SQL depends on more than its values. The statement is compiled once for each shape, so
 * there must be few shapes.
 *
 * @param build creates the statement. The SQL may depend on the shape. `values` contains placeholders, so they must only be
 * passed on
 */
export const preparedForShapes = <S, V extends object, R>(
  build: (db: Db, shape: S, values: V) => Compilable<R>,
): ((db: Db, shape: S, values: V) => Promise<readonly R[]>) => {
  const statementOf = createStatements<R>()
  return async (db, shape, values) => {
    const key = typeof shape === 'string' ? shape : JSON.stringify(shape)
    return run(
      db,
      statementOf(db, key, () => build(db, shape, placeholdersOf<V>(0))),
      [values],
    )
  }
}

/** Statements for up to this many rows are compiled once and then reused. One answer usually changes at most this many rows. */
const MAX_PREPARED_ROWS = 10
const ROWS_PER_STATEMENT = 500

/**
 * Like `prepared`, but one statement handles several rows. For each number of rows up to 10, a statement is compiled once and
 * reused. Larger numbers of rows are split into statements of up to 500 rows. If there are no rows, nothing is run.
 *
 * @param build creates the statement for `rows`, which all belong to the dataset of `first`. The rows contain placeholders or, if
 * there are more than 10 rows, the values
 */
export const preparedForRows = <V extends object>(
  build: (db: Db, first: V, rows: readonly V[]) => Compilable<unknown>,
): ((db: Db, rows: readonly V[]) => Promise<void>) => {
  const statementOf = createStatements<unknown>()
  return async (db, rows) => {
    const [first] = rows
    if (first === undefined) return
    if (rows.length > MAX_PREPARED_ROWS) {
      const parts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, i) =>
        rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
      )
      await pipeline(parts.map((part) => db.sql.executeQuery(build(db, first, part).compile())))
      return
    }
    const buildStatement = () => {
      const firstPlaceholders = placeholdersOf<V>(0)
      return build(db, firstPlaceholders, [firstPlaceholders, ...rows.slice(1).map((_, i) => placeholdersOf<V>(i + 1))])
    }
    await run(db, statementOf(db, rows.length, buildStatement), rows)
  }
}
