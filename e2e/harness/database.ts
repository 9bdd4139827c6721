import { randomBytes } from 'node:crypto'
import pg from 'pg'

const adminUrl = (): string => {
  const url = process.env.POSTIL_TEST_POSTGRES_URL
  if (url === undefined) {
    throw new Error(
      'POSTIL_TEST_POSTGRES_URL is not set. Run "npm test", or run "node scripts/postgres.mjs start" and set it to the URL of that server',
    )
  }
  return url
}

const admin = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a database on the test server. */
export const createDatabase = async (): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> => {
  const name = `postil_e2e_${randomBytes(8).toString('hex')}`
  await admin(`CREATE DATABASE ${name}`)
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
