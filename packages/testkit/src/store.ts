import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@postil/server/platform/db/postgres/open.ts'
import { openSqlite } from '@postil/server/platform/db/sqlite/open.ts'
import type { Store } from '@postil/server/platform/db/store.ts'
import pg from 'pg'

export type Engine = 'sqlite' | 'postgres'

/** The engine that this run of the suite is on. */
export const testEngine = (): Engine => (process.env.POSTIL_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite')

const adminUrl = (): string => {
  const url = process.env.POSTIL_TEST_POSTGRES_URL
  if (url === undefined)
    throw new Error('POSTIL_TEST_POSTGRES_URL names no PostgreSQL server: run "npm test", or "node scripts/postgres.mjs start"')
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

/** A place for a new store: an empty folder, or an empty database of its own. */
export const emptyPlace = async (
  engine: Engine = testEngine(),
): Promise<{ folder: string; url: string | undefined; drop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'postil test '))
  const dropFolder = () => rm(folder, { recursive: true, force: true })
  if (engine === 'sqlite') return { folder, url: undefined, drop: dropFolder }
  const name = `postil_test_${randomBytes(8).toString('hex')}`
  await admin(`CREATE DATABASE ${name}`)
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  return {
    folder,
    url: url.href,
    drop: async () => {
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await dropFolder()
    },
  }
}

/** An empty store of the engine under test, with the operations that the module at `operations` (a URL) declares. */
export const emptyStore = async (options: {
  operations: string
  engine?: Engine
}): Promise<{ store: Store; drop: () => Promise<void> }> => {
  const place = await emptyPlace(options.engine)
  const store =
    place.url === undefined
      ? await openSqlite({ folder: place.folder, operations: options.operations, exclusive: true })
      : await openPostgres({ url: place.url })
  return {
    store,
    drop: async () => {
      await store.close()
      await place.drop()
    },
  }
}
