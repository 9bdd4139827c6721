import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { appliedMigrations, type Migrating, migrate } from '../migrate.ts'
import { StoreError } from '../store.ts'
import { openConnection } from './connection.ts'
import { createDb } from './create-db.ts'
import { damageOf, passingFault, reasonOf } from './fault.ts'
import { sqliteSchema } from './schema.ts'

/** Converts errors caused by a damaged file or missing resources into messages for users. Other errors stay unchanged. */
const asStoreError = (error: unknown, path: string): unknown => {
  const damage = damageOf(error, path)
  if (damage !== null) return new StoreError(`${damage}.`)
  if (passingFault(error) === null) return error
  return new StoreError(`The database file ${path} cannot be used: ${reasonOf(error, dirname(path))}.`)
}

/**
 * Upgrades a database file's schema to the given revision, or to the newest if none is given.
 * @returns the added revisions
 */
export const migrateFile = async (path: string, timeoutMs?: number, migrating?: Migrating): Promise<readonly string[]> => {
  const connection = openConnection(path, 'writer', timeoutMs)
  try {
    connection.exec('BEGIN IMMEDIATE')
    const ran = await migrate(createDb(connection).sql, sqliteSchema, migrating)
    connection.exec('COMMIT')
    return ran
  } catch (error) {
    throw asStoreError(error, path)
  } finally {
    connection.close()
  }
}

/** Reads the revisions of a database file without changing it. Returns an empty list if there is no file. */
export const revisionsOfFile = async (path: string, timeoutMs?: number): Promise<readonly string[]> => {
  if (!existsSync(path)) return []
  const connection = openConnection(path, 'reader', timeoutMs)
  try {
    const known = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").get()
    return known === undefined ? [] : await appliedMigrations(createDb(connection).sql)
  } catch (error) {
    throw asStoreError(error, path)
  } finally {
    connection.close()
  }
}
