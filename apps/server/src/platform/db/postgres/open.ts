import type { KyselyPlugin } from 'kysely'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { decodeRows } from '../codecs.ts'
import type { Db, Sql } from '../db.ts'
import { migrate } from '../migrate.ts'
import type { Command, Query } from '../operations.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store.ts'
import type { Tables } from '../tables.ts'
import { functions } from './functions.ts'
import { postgresSchema } from './schema.ts'
import { textIndex } from './text-index.ts'
import { vectorIndex } from './vectors.ts'

export type PostgresOptions = {
  readonly url: string
  /** For migrations where `url` goes through a pooler. */
  readonly directUrl?: string
  readonly poolSize?: number
}

// NOTE: `pg` gives int8 and numeric as text; ours fit a double exactly (times are microseconds, decisions on ids bound the rest)
const asNumber = (text: string): number => Number(text)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (oid === 20 || oid === 1700) return asNumber
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
  },
} as pg.CustomTypesConfig

const codecs: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => {
    decodeRows(result.rows)
    return Promise.resolve(result)
  },
}

const ATTEMPTS = 3
/** Serialisation failure, deadlock, and a unique key that another transaction has just taken: run again. */
const RERUN = new Set(['40001', '40P01', '23505'])
const MIGRATION_LOCK = 7_276_014

const migrateOn = async (url: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, types })
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await kysely.transaction().execute(async (trx) => {
      // NOTE: a transaction's lock, not a session's: safe through a pooler; two starting processes queue up here
      await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
      try {
        await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(trx)
      } catch (error) {
        throw new StoreError(
          `The PostgreSQL server has no pgvector extension (${(error as Error).message}). Install pgvector, or run "CREATE EXTENSION vector" as a superuser.`,
        )
      }
      await migrate(trx, postgresSchema)
    })
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(`The PostgreSQL database cannot be used: ${(error as Error).message}.`)
  } finally {
    await kysely.destroy()
  }
}

/** Opens a store on PostgreSQL with pgvector, migrating it first. Rejects with `StoreError` for people. */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  await migrateOn(options.directUrl ?? options.url)
  const pool = new pg.Pool({ connectionString: options.url, max: options.poolSize ?? 15, types })
  // NOTE: a connection that breaks must not end the process: an idle one is replaced, one inside a transaction fails its next query
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely: Sql = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [codecs] })
  const dialect = { ...functions, text: textIndex, vectors: vectorIndex }
  const dbOn = (handle: Sql): Db => ({ sql: handle, dialect })

  const write = async <A, R>(command: Command<A, R>, args: A): Promise<R> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await kysely.transaction().execute((trx) => command.run(dbOn(trx), args))
      } catch (error) {
        if (attempt >= ATTEMPTS || !RERUN.has((error as { code?: string }).code ?? '')) throw error
      }
    }
  }
  const read = <A, R>(query: Query<A, R>, args: A): Promise<R> =>
    query.single
      ? query.run(dbOn(kysely), args)
      : kysely
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute((trx) => query.run(dbOn(trx), args))
  return {
    write,
    read,
    health: async () => {
      const { rows } = await sql<{
        version: string
        name: string
      }>`SELECT version() AS version, current_database() AS name`.execute(kysely)
      const row = rows[0]
      return { engine: 'postgres', version: row?.version ?? '', location: row?.name ?? '' }
    },
    close: () => kysely.destroy(),
  }
}
