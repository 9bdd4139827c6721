import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Place } from '../../e2e/harness/server.ts'

export type HistorySwitch = {
  readonly disable: () => Promise<void>
  readonly enable: () => Promise<void>
  readonly close: () => Promise<void>
}

/* The name of a database trigger that drops history rows before they are written. The benchmark uses it to measure the cost of
   writing them. The time with the trigger still includes the cost of sending the rows. The product itself always keeps history. */
const TRIGGER = 'bench_no_history'

const inSqlite = (dataDir: string): HistorySwitch => {
  const db = new DatabaseSync(join(dataDir, 'postil.db'), { timeout: 10_000 })
  return {
    disable: async () => db.exec(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT ON history BEGIN SELECT RAISE(IGNORE); END`),
    enable: async () => db.exec(`DROP TRIGGER IF EXISTS ${TRIGGER}`),
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
    disable: () => run(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION ${TRIGGER}()`),
    enable: () => run(`DROP TRIGGER IF EXISTS ${TRIGGER} ON history`),
    close: () => client.end(),
  }
}

export const historySwitch = async ({ dataDir, databaseUrl }: Place): Promise<HistorySwitch> =>
  databaseUrl === undefined ? inSqlite(dataDir) : inPostgres(databaseUrl)
