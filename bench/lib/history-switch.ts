import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Place } from '../../e2e/harness/server.ts'

export type HistorySwitch = {
  readonly off: () => Promise<void>
  readonly on: () => Promise<void>
  readonly close: () => Promise<void>
}

/*
 * The product always keeps history. A trigger of the database that drops the row before it is written shows what the writing costs;
 * what it costs to send the row stays.
 */
const TRIGGER = 'bench_no_history'

const inSqlite = (dataDir: string): HistorySwitch => {
  const db = new DatabaseSync(join(dataDir, 'postil.db'), { timeout: 10_000 })
  return {
    off: async () => db.exec(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT ON history BEGIN SELECT RAISE(IGNORE); END`),
    on: async () => db.exec(`DROP TRIGGER IF EXISTS ${TRIGGER}`),
    close: async () => db.close(),
  }
}

const inPostgres = async (url: string): Promise<HistorySwitch> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run = async (text: string) => {
    await client.query(text)
  }
  await run(`CREATE OR REPLACE FUNCTION ${TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`)
  return {
    off: () => run(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION ${TRIGGER}()`),
    on: () => run(`DROP TRIGGER IF EXISTS ${TRIGGER} ON history`),
    close: () => client.end(),
  }
}

/** Turns the writing of history off and on below a running server. */
export const historySwitch = async ({ dataDir, databaseUrl }: Place): Promise<HistorySwitch> =>
  databaseUrl === undefined ? inSqlite(dataDir) : inPostgres(databaseUrl)
