import type { DatabaseSync } from 'node:sqlite'
import type { Db } from '../db.ts'
import { kyselyOn, Statements } from './driver.ts'
import { functionsOn } from './functions.ts'
import { textIndexOn } from './text-index.ts'
import { vectorIndexOn } from './vectors.ts'

/**
 * The handle on an open connection of this thread.
 * @param putOff left out where nobody does afterwards what is put off
 */
export const createDb = (connection: DatabaseSync, putOff: Db['dialect']['putOff'] = () => Promise.resolve(false)): Db => {
  const statements = new Statements(connection)
  return {
    sql: kyselyOn(statements),
    dialect: { ...functionsOn(statements, putOff), text: textIndexOn(statements), vectors: vectorIndexOn(statements) },
    // NOTE: nothing travels here, so nothing is put off
    get later() {
      return this
    },
  }
}
