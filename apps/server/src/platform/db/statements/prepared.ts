import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, DialectFunctions } from '../db.ts'

/** Where a value goes. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const places: object = new Proxy({}, { get: (_, name) => new Place(String(name)) })

/**
 * A statement of the paths that everybody takes all day: built and turned into SQL once, afterwards it only takes its values. Building
 * it costs the process about as much as everything else that it does for a statement.
 *
 * @param build makes the statement; it sees places instead of values, so it may pass them on but not look at them
 */
export const prepared = <V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): ((db: Db, values: V) => Promise<readonly R[]>) => {
  const made = new WeakMap<DialectFunctions, CompiledQuery<R>>()
  return async (db, values) => {
    let statement = made.get(db.dialect)
    if (statement === undefined) {
      statement = build(db, places as V).compile()
      made.set(db.dialect, statement)
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Place ? (values as { readonly [name: string]: unknown })[value.name] : value,
    )
    return (await db.sql.executeQuery<R>({ ...statement, parameters })).rows
  }
}
