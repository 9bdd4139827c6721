import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Sql } from '../db.ts'
import { appliedMigrations, type Migrating, migrate } from '../migrate.ts'
import { StoreError } from '../store.ts'
import type { Tables } from '../tables.ts'
import { postgresSchema } from './schema.ts'
import { CONNECT_MS, unusable } from './unusable.ts'

const MIGRATION_LOCK = 7_276_014
/** The error code that a replica returns for `create … if not exists`, even if there is nothing to create. */
const READ_ONLY = '25006'

const inTransaction = async <R>(url: string, run: (trx: Sql) => Promise<R>): Promise<R> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS })
  // This error can be ignored. If a connection breaks during a statement, the statement also fails and reports the error.
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

/**
 * Upgrades a database's schema to the given revision, or to the newest if none is given.
 * @returns the added revisions
 */
export const migrateOn = (url: string, migrating?: Migrating): Promise<readonly string[]> =>
  inTransaction(url, async (trx) => {
    // A transaction lock works through a pooler; a session lock would not. Processes that start at the same time wait here.
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
    try {
      // Even with IF NOT EXISTS, a cluster creates an existing extension on its nodes, and the role may lack the rights to do so.
      // Therefore, this checks first whether the extension exists.
      const { rows } = await sql`SELECT FROM pg_extension WHERE extname = 'vector'`.execute(trx)
      if (rows.length === 0) await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(trx)
    } catch (error) {
      if ((error as { readonly code?: string }).code === READ_ONLY) throw error
      throw new StoreError(
        `The PostgreSQL database does not have the pgvector extension (${(error as Error).message}). Install pgvector on the database server, or run "CREATE EXTENSION vector" in this database as a superuser.`,
      )
    }
    return migrate(trx, postgresSchema, migrating)
  })

/** Reads the revisions of a database without changing it. */
export const revisionsOn = (url: string): Promise<readonly string[]> =>
  inTransaction(url, async (trx) => {
    const { rows } = await sql<{ name: string | null }>`SELECT to_regclass('migrations')::text AS name`.execute(trx)
    return rows[0]?.name == null ? [] : appliedMigrations(trx)
  })
