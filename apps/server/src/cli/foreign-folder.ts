import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/read-config.ts'
import { CommandError } from './command.ts'

const ORIGINAL_FILE = 'argilla.db'
const OWN_FILE = 'postil.db'

/** @throws CommandError for a data folder that is another server's */
export const refuseForeignFolder = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, OWN_FILE)) || !existsSync(join(dataDir, ORIGINAL_FILE))) return
  throw new CommandError(
    `The folder ${dataDir} holds the database of another server (${ORIGINAL_FILE}), which Postil never opens. Choose another folder with POSTIL_DATA_DIR; while that server runs, 'postil migrate-from URL --api-key KEY' brings its data over.`,
  )
}
