import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECRET_FILE } from '#platform/auth/secrets/master-secret.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, CommandError } from '../command.ts'

const ORIGINAL_FILE = 'argilla.db'
const OWN_FILE = 'postil.db'

/** @throws CommandError if the data folder belongs to another server */
const refuseForeignFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE)) || !existsSync(join(dataDir, ORIGINAL_FILE))) return
  throw new CommandError(
    `The folder ${dataDir} holds the database of another server (${ORIGINAL_FILE}), which Postil never opens. Choose another folder with POSTIL_DATA_DIR; while that server runs, 'postil migrate-from URL --api-key KEY' brings its data over.`,
  )
}

/** A path that this user can't read must not be reported as missing. @throws CommandError for another user's data */
const refuseClosedFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined) return
  for (const path of [dataDir, join(dataDir, OWN_FILE), join(dataDir, SECRET_FILE)]) {
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') continue
      throw new CommandError(
        `This user may not read ${path}. Run this as the user that the server runs as, or choose another folder with POSTIL_DATA_DIR or --data-dir.`,
      )
    }
  }
}

/** @throws CommandError for a path that is not a folder, or that is below a file */
const refuseFile = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined) return
  let at = dataDir
  while (!existsSync(at)) at = dirname(at)
  if (statSync(at).isDirectory()) return
  throw new CommandError(`POSTIL_DATA_DIR or --data-dir names ${dataDir}, which is no folder.`)
}

/** A mistyped folder would open as an empty store, which a backup or check would report as fine. @throws CommandError */
const refuseEmptyFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE))) return
  throw new CommandError(
    `The folder ${dataDir} holds no Postil data. Name the right one with POSTIL_DATA_DIR or --data-dir; 'postil start' makes a new one.`,
  )
}

/** @throws CommandError if the command can't work on the data folder */
export const checkFolder = (config: Config, { store }: Pick<CliCommand, 'store'>): void => {
  if (store === 'none') return
  refuseClosedFolder(config)
  refuseFile(config)
  refuseForeignFolder(config)
  if (store === 'there' || store === 'current') refuseEmptyFolder(config)
}
