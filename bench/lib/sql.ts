import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Place } from '../../e2e/harness/server.ts'

/**
 * A connection to a server's database. `uuid` is the engine's type for IDs. `bool` returns a Boolean as the engine writes it in
 * SQL.
 */
export type Sql = {
  readonly run: (statement: string) => Promise<unknown>
  readonly close: () => Promise<void>
  readonly uuid: string
  readonly bool: (value: boolean) => string
}

export const openSql = async ({ dataDir, databaseUrl }: Place): Promise<Sql> => {
  if (databaseUrl === undefined) {
    const db = new DatabaseSync(join(dataDir, 'postil.db'), { timeout: 10_000 })
    const run = async (statement: string) => db.exec(statement)
    return { run, close: async () => db.close(), uuid: 'text', bool: (value) => String(Number(value)) }
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const run = (statement: string) => client.query(statement)
  return { run, close: () => client.end(), uuid: 'uuid', bool: String }
}
