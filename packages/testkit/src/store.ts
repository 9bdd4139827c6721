import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@postil/server/platform/db/migrate.ts'
import { openPostgres } from '@postil/server/platform/db/postgres/open.ts'
import { migrateOn } from '@postil/server/platform/db/postgres/revisions.ts'
import { postgresSchema } from '@postil/server/platform/db/postgres/schema.ts'
import { DATABASE_FILE } from '@postil/server/platform/db/sqlite/connection.ts'
import { openSqlite } from '@postil/server/platform/db/sqlite/open.ts'
import { migrateFile } from '@postil/server/platform/db/sqlite/revisions.ts'
import type { Store } from '@postil/server/platform/db/store.ts'
import pg from 'pg'

export type Engine = 'sqlite' | 'postgres'

/** The engine of this test run. */
export const testEngine = (): Engine => (process.env.POSTIL_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite')

const adminUrl = (): string => {
  const url = process.env.POSTIL_TEST_POSTGRES_URL
  if (url === undefined)
    throw new Error(
      'POSTIL_TEST_POSTGRES_URL is not set. Run "npm test", or run "node scripts/postgres.mjs start" and set it to the URL of that server',
    )
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

export type TestPlace = { readonly folder: string; readonly url: string | undefined; readonly drop: () => Promise<void> }

const urlOf = (database: string): string => {
  const url = new URL(adminUrl())
  url.pathname = `/${database}`
  return url.href
}
const dropDatabase = (name: string) => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)

const emptyFolder = async (): Promise<TestPlace> => {
  const folder = await mkdtemp(join(tmpdir(), 'postil test '))
  return { folder, url: undefined, drop: () => rm(folder, { recursive: true, force: true }) }
}

/** Creates an empty folder and a PostgreSQL database. `create` gets the name of the database and must create it. */
const withDatabase = async (create: (name: string) => Promise<void>): Promise<TestPlace> => {
  const { folder, drop } = await emptyFolder()
  const name = `postil_test_${randomBytes(8).toString('hex')}`
  await create(name)
  return {
    folder,
    url: urlOf(name),
    drop: async () => {
      await dropDatabase(name)
      await drop()
    },
  }
}

/** A place for a new store: an empty folder, and for PostgreSQL also an empty database. */
export const emptyPlace = async (engine: Engine = testEngine()): Promise<TestPlace> =>
  engine === 'sqlite' ? emptyFolder() : withDatabase((name) => admin(`CREATE DATABASE ${name}`))

/** The file of an embedded database with the schema and no data. */
let migratedTemplateFile: Promise<Buffer> | undefined
const makeFile = async (): Promise<Buffer> => {
  const { folder, drop } = await emptyFolder()
  try {
    await migrateFile(join(folder, DATABASE_FILE))
    return await readFile(join(folder, DATABASE_FILE))
  } finally {
    await drop()
  }
}

const schemaHash = createHash('sha256')
  .update(JSON.stringify([migrations, postgresSchema]))
  .digest('hex')
/** The database that test databases are copied from. It remains on the test server for later runs. */
const TEMPLATE = `postil_template_${schemaHash.slice(0, 16)}`
const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code
const NO_SUCH_DATABASE = '3D000'
/** Error codes for a database that already exists and for one that another process is creating. */
const DATABASE_EXISTS = ['42P04', '23505']

/** The template gets its name only when it is complete, because other processes look for it by name. */
const makeTemplate = async (): Promise<void> => {
  const name = `postil_test_${randomBytes(8).toString('hex')}`
  await admin(`CREATE DATABASE ${name}`)
  await migrateOn(urlOf(name))
  try {
    await admin(`ALTER DATABASE ${name} RENAME TO ${TEMPLATE}`)
  } catch (error) {
    await dropDatabase(name)
    if (!DATABASE_EXISTS.includes(String(codeOf(error)))) throw error
  }
}

const copyTemplate = async (name: string): Promise<void> => {
  // By default, PostgreSQL writes every page to the log. Copying the files takes only a fifth of the processor time.
  const copy = `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`
  try {
    await admin(copy)
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error
    await makeTemplate()
    await admin(copy)
  }
}

/** A place whose store already has the schema. Tests create hundreds of them, so the schema is created once and copied. */
export const migratedPlace = async (engine: Engine = testEngine()): Promise<TestPlace> => {
  if (engine === 'postgres') return withDatabase(copyTemplate)
  migratedTemplateFile ??= makeFile()
  const place = await emptyFolder()
  await writeFile(join(place.folder, DATABASE_FILE), await migratedTemplateFile)
  return place
}

/** An empty store on the engine under test, with the operations declared by the module at `operations` (a URL). */
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
