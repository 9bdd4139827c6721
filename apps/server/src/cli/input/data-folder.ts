import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECRET_FILE } from '#platform/auth/secrets/master-secret.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type CliCommand, CommandError } from '../command.ts'

const ORIGINAL_FILE = 'argilla.db'
const OWN_FILE = 'postil.db'

/** @throws CommandError if the data folder contains a database of the original server */
const refuseForeignFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE)) || !existsSync(join(dataDir, ORIGINAL_FILE))) return
  throw new CommandError(
    `${dataDir} contains another server's database (${ORIGINAL_FILE}), and Postil never opens it. Choose another folder with POSTIL_DATA_DIR. To copy the data, run 'postil migrate-from URL --api-key KEY' while the other server is running.`,
  )
}

/**
 * Rejects a path that the current system user can't read. Without this check, the path would be reported as missing.
 * @throws CommandError for another user's data
 */
const refuseClosedFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined) return
  for (const path of [dataDir, join(dataDir, OWN_FILE), join(dataDir, SECRET_FILE)]) {
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') continue
      throw new CommandError(
        `This user cannot read ${path}. Run the command as the user that runs the server, or choose another folder with POSTIL_DATA_DIR or --data-dir.`,
      )
    }
  }
}

/** @throws CommandError for a path that is not a folder or is inside a file */
const refuseFile = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined) return
  let at = dataDir
  while (!existsSync(at)) at = dirname(at)
  if (statSync(at).isDirectory()) return
  throw new CommandError(`${dataDir} is not a folder. Set POSTIL_DATA_DIR or --data-dir to a folder.`)
}

/**
 * Rejects an empty folder. A mistyped path would otherwise open as an empty store, and a backup or check of that store would
 * succeed. @throws CommandError
 */
const refuseEmptyFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE))) return
  throw new CommandError(
    `There is no Postil data in ${dataDir}. Set POSTIL_DATA_DIR or --data-dir to the data folder, or run 'postil start' to create a new one.`,
  )
}

/** @throws CommandError if the command can't use the data folder, for example because the folder can't be read */
export const checkFolder = (config: Config, { store }: Pick<CliCommand, 'store'>): void => {
  if (store === 'none') return
  refuseClosedFolder(config)
  refuseFile(config)
  refuseForeignFolder(config)
  if (store === 'there' || store === 'current') refuseEmptyFolder(config)
}
