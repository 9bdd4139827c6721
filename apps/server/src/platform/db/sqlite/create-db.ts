import type { DatabaseSync } from 'node:sqlite'
import type { Db } from '../db.ts'
import { kyselyOn, Statements } from './driver.ts'
import { functionsOn } from './functions.ts'
import { textIndexOn } from './text-index.ts'
import { vectorIndexOn } from './vectors.ts'

/**
 * Creates the handle on a connection that is open in this thread.
 * @param defer omitted if nothing runs deferred work on this connection
 */
export const createDb = (connection: DatabaseSync, defer: Db['dialect']['defer'] = () => Promise.resolve(false)): Db => {
  const statements = new Statements(connection)
  return {
    sql: kyselyOn(statements),
    dialect: { ...functionsOn(statements, defer), text: textIndexOn(statements), vectors: vectorIndexOn(statements) },
    // The embedded database has no network round trips to save, so nothing is deferred.
    get atCommit() {
      return this
    },
  }
}
