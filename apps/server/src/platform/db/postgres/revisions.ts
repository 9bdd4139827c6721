import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Sql } from '../db.ts'
import { appliedMigrations, type Migrating, migrate } from '../migrate.ts'
import { StoreError } from '../store.ts'
import type { Tables } from '../tables.ts'
import { postgresSchema } from './schema.ts'
import { CONNECT_MS, unusable } from './unusable.ts'

const MIGRATION_LOCK = 7_276_014
/** Of a server that follows another one, also where there is nothing to create. */
const READ_ONLY = '25006'

const inTransaction = async <R>(url: string, run: (trx: Sql) => Promise<R>): Promise<R> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS })
  // NOTE: a connection that breaks fails the statement that waits for it, which says so
  pool.on('error', () => undefined)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await kysely.transaction().execute(run)
  } catch (error) {
    throw unusable(error)
  } finally {
    await kysely.destroy()
  }
}

/** Brings the schema of a database up to date, or up to a revision. @returns the revisions that this added */
export const migrateOn = (url: string, migrating?: Migrating): Promise<readonly string[]> =>
  inTransaction(url, async (trx) => {
    // NOTE: a transaction's lock, not a session's: safe through a pooler; two starting processes queue up here
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
    try {
      await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(trx)
    } catch (error) {
      if ((error as { readonly code?: string }).code === READ_ONLY) throw error
      throw new StoreError(
        `The PostgreSQL database has no pgvector extension (${(error as Error).message}). Install pgvector on its server, or run "CREATE EXTENSION vector" in this database as a superuser.`,
      )
    }
    return migrate(trx, postgresSchema, migrating)
  })

/** The revisions of a database, which stays as it is. */
export const revisionsOn = (url: string): Promise<readonly string[]> =>
  inTransaction(url, async (trx) => {
    const { rows } = await sql<{ name: string | null }>`SELECT to_regclass('migrations')::text AS name`.execute(trx)
    return rows[0]?.name == null ? [] : appliedMigrations(trx)
  })
