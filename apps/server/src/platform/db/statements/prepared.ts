import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, DialectFunctions } from '../db.ts'

/** Marks a value's position in a statement. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const placeholders: object = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/**
 * A statement for frequent requests. It is built and compiled to SQL once; after that, each run only supplies the values. In
 * this process, building a statement costs about as much as all other work for it.
 *
 * @param build creates the statement; it receives placeholders instead of values, so it may pass them on but not read them
 */
export const prepared = <V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): ((db: Db, values: V) => Promise<readonly R[]>) => {
  const made = new WeakMap<DialectFunctions, CompiledQuery<R>>()
  return async (db, values) => {
    let statement = made.get(db.dialect)
    if (statement === undefined) {
      statement = build(db, placeholders as V).compile()
      made.set(db.dialect, statement)
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Placeholder ? (values as { readonly [name: string]: unknown })[value.name] : value,
    )
    return (await db.sql.executeQuery<R>({ ...statement, parameters })).rows
  }
}
