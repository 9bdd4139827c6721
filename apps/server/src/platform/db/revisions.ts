import { join } from 'node:path'
import { migrateOn, revisionsOn } from './postgres/revisions.ts'
import { DATABASE_FILE } from './sqlite/connection.ts'
import { migrateFile, revisionsOfFile } from './sqlite/revisions.ts'

/** Where a store is, as the configuration says. */
export type StorePlace = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly sqliteTimeoutMs: number
}

const fileOf = ({ dataDir }: StorePlace): string => join(dataDir, DATABASE_FILE)

/** The revisions that a store has, which stays as it is; none where there is no store yet. */
export const appliedRevisions = (place: StorePlace): Promise<readonly string[]> =>
  place.databaseUrl === undefined
    ? revisionsOfFile(fileOf(place), place.sqliteTimeoutMs)
    : revisionsOn(place.databaseDirectUrl ?? place.databaseUrl)

/**
 * Brings a store up to a revision, or up to date; never back.
 * @returns the revisions that this added. @throws StoreError for a store of a newer version, or one that cannot be opened
 */
export const migrateStore = (place: StorePlace, upTo?: string): Promise<readonly string[]> =>
  place.databaseUrl === undefined
    ? migrateFile(fileOf(place), place.sqliteTimeoutMs, { upTo })
    : migrateOn(place.databaseDirectUrl ?? place.databaseUrl, { upTo })
