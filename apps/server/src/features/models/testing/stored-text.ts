import { join } from 'node:path'
import type { TestServer } from '@postil/testkit/boot.ts'
import pg from 'pg'
import { DATABASE_FILE, openConnection } from '#platform/db/sqlite/connection.ts'
import { tables } from '#platform/db/tables.ts'

/** The rows of all tables as one string. Tests check that it contains no secret, because a backup contains the same rows. */
export const readAll = async ({ app }: TestServer): Promise<string> => {
  const { dataDir, databaseUrl } = app.ctx.config
  const statements = Object.keys(tables).map((table) => `select * from ${table}`)
  if (databaseUrl === undefined) {
    const connection = openConnection(join(dataDir, DATABASE_FILE), 'writer')
    try {
      return JSON.stringify(statements.map((statement) => connection.prepare(statement).all()))
    } finally {
      connection.close()
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const found: unknown[] = []
    for (const statement of statements) found.push((await client.query(statement)).rows)
    return JSON.stringify(found)
  } finally {
    await client.end()
  }
}
