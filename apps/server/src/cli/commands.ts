import { agreement } from './agreement.ts'
import { backup, restore } from './backup.ts'
import type { CliCommand } from './command.ts'
import { compact } from './compact.ts'
import { databaseMigrate, databaseRevisions } from './database.ts'
import { doctor } from './doctor.ts'
import { exportDataset } from './export.ts'
import { importRecords } from './import.ts'
import { migrateFrom } from './migrate-from.ts'
import { reindex } from './reindex.ts'
import { secretChange } from './secret-change.ts'
import { start } from './start.ts'
import { usersCreate } from './users/users-create.ts'
import { usersCreateDefault } from './users/users-create-default.ts'
import { usersList } from './users/users-list.ts'
import { usersMigrate } from './users/users-migrate.ts'
import { usersUpdate } from './users/users-update.ts'
import { version } from './version.ts'
import { worker } from './worker.ts'
import { workspacesAddUser, workspacesCreate, workspacesDelete, workspacesList, workspacesRemoveUser } from './workspaces.ts'

/** All commands, in the order in which the help lists them. */
export const commands: readonly CliCommand[] = [
  start,
  worker,
  databaseMigrate,
  databaseRevisions,
  compact,
  usersCreate,
  usersCreateDefault,
  usersUpdate,
  usersMigrate,
  usersList,
  workspacesList,
  workspacesCreate,
  workspacesAddUser,
  workspacesRemoveUser,
  workspacesDelete,
  importRecords,
  exportDataset,
  agreement,
  migrateFrom,
  backup,
  restore,
  doctor,
  secretChange,
  reindex,
  version,
]
