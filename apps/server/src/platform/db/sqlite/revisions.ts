import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { appliedMigrations, type Migrating, migrate } from '../migrate.ts'
import { StoreError } from '../store.ts'
import { openConnection } from './connection.ts'
import { createDb } from './create-db.ts'
import { damageOf, passingFault, reasonOf } from './fault.ts'
import { sqliteSchema } from './schema.ts'

/** What people are told where the file is damaged, or the machine lacks something; anything else as it is. */
const told = (error: unknown, path: string): unknown => {
  const damage = damageOf(error, path)
  if (damage !== null) return new StoreError(`${damage}.`)
  if (passingFault(error) === null) return error
  return new StoreError(`The database file ${path} cannot be worked with: ${reasonOf(error, dirname(path))}.`)
}

/** Brings the schema of a database file up to date, or up to a revision. @returns the revisions that this added */
export const migrateFile = async (path: string, timeoutMs?: number, migrating?: Migrating): Promise<readonly string[]> => {
  const connection = openConnection(path, 'writer', timeoutMs)
  try {
    connection.exec('BEGIN IMMEDIATE')
    const ran = await migrate(createDb(connection).sql, sqliteSchema, migrating)
    connection.exec('COMMIT')
    return ran
  } catch (error) {
    throw told(error, path)
  } finally {
    connection.close()
  }
}

/** The revisions of a database file, which stays as it is; none where there is no file. */
export const revisionsOfFile = async (path: string, timeoutMs?: number): Promise<readonly string[]> => {
  if (!existsSync(path)) return []
  const connection = openConnection(path, 'reader', timeoutMs)
  try {
    const known = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").get()
    return known === undefined ? [] : await appliedMigrations(createDb(connection).sql)
  } catch (error) {
    throw told(error, path)
  } finally {
    connection.close()
  }
}
