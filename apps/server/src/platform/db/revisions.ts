import { join } from 'node:path'
import { migrateOn, revisionsOn } from './postgres/revisions.ts'
import { DATABASE_FILE } from './sqlite/connection.ts'
import { migrateFile, revisionsOfFile } from './sqlite/revisions.ts'

/** A store's location, from the configuration. */
type StorePlace = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly sqliteTimeoutMs: number
}

const fileOf = ({ dataDir }: StorePlace): string => join(dataDir, DATABASE_FILE)

/** Returns the schema revisions that a store has. Doesn't change the store. Empty if there is no store yet. */
export const appliedRevisions = (place: StorePlace): Promise<readonly string[]> =>
  place.databaseUrl === undefined
    ? revisionsOfFile(fileOf(place), place.sqliteTimeoutMs)
    : revisionsOn(place.databaseDirectUrl ?? place.databaseUrl)

/**
 * Upgrades a store to the given revision, or to the newest if none is given; never downgrades.
 * @returns the added revisions
 * @throws StoreError for a store from a newer version, or one that can't be opened
 */
export const migrateStore = (place: StorePlace, upTo?: string): Promise<readonly string[]> =>
  place.databaseUrl === undefined
    ? migrateFile(fileOf(place), place.sqliteTimeoutMs, { upTo })
    : migrateOn(place.databaseDirectUrl ?? place.databaseUrl, { upTo })
