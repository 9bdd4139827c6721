import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, CommandError } from './command.ts'

const ORIGINAL_FILE = 'argilla.db'
const OWN_FILE = 'postil.db'

/** @throws CommandError for a data folder that is another server's */
const refuseForeignFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE)) || !existsSync(join(dataDir, ORIGINAL_FILE))) return
  throw new CommandError(
    `The folder ${dataDir} holds the database of another server (${ORIGINAL_FILE}), which Postil never opens. Choose another folder with POSTIL_DATA_DIR; while that server runs, 'postil migrate-from URL --api-key KEY' brings its data over.`,
  )
}

/** @throws CommandError for the path of something else than a folder */
const refuseFile = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== false) return
  throw new CommandError(`POSTIL_DATA_DIR or --data-dir names ${dataDir}, which is no folder.`)
}

/** A mistyped folder would be an empty store, of which a backup or a check says that all is well. @throws CommandError */
const refuseEmptyFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE))) return
  throw new CommandError(
    `The folder ${dataDir} holds no Postil data. Name the right one with POSTIL_DATA_DIR or --data-dir; 'postil start' makes a new one.`,
  )
}

/** @throws CommandError where the data folder is not one that the command works on */
export const checkFolder = (config: Config, { store }: Pick<CliCommand, 'store'>): void => {
  if (store === 'none') return
  refuseFile(config)
  refuseForeignFolder(config)
  if (store === 'there') refuseEmptyFolder(config)
}
