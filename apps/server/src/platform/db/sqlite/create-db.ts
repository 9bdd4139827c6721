import type { DatabaseSync } from 'node:sqlite'
import type { Db } from '../db.ts'
import { kyselyOn, Statements } from './driver.ts'
import { functionsOn } from './functions.ts'
import { textIndexOn } from './text-index.ts'
import { vectorIndexOn } from './vectors.ts'

/**
 * Creates a `Db` for a connection that this thread has opened.
 * @param defer can be omitted if no deferred work runs on this connection
 */
export const createDb = (connection: DatabaseSync, defer: Db['dialect']['defer'] = () => Promise.resolve(false)): Db => {
  const statements = new Statements(connection)
  return {
    sql: kyselyOn(statements),
    dialect: { ...functionsOn(statements, defer), text: textIndexOn(statements), vectors: vectorIndexOn(statements) },
    // Deferring writes would save network round trips. The embedded database has none, so nothing is deferred.
    get atCommit() {
      return this
    },
  }
}
