import type { CliCommand } from './command.ts'
import { databaseMigrate, databaseRevisions } from './database.ts'
import { doctor } from './doctor.ts'
import { reindex } from './reindex.ts'
import { start } from './start.ts'
import { usersCreate } from './users-create.ts'
import { usersCreateDefault } from './users-create-default.ts'
import { usersUpdate } from './users-update.ts'
import { version } from './version.ts'
import { worker } from './worker.ts'

/** Every command, in the order of the help. */
export const commands: readonly CliCommand[] = [
  start,
  databaseMigrate,
  databaseRevisions,
  usersCreate,
  usersCreateDefault,
  usersUpdate,
  doctor,
  reindex,
  worker,
  version,
]
