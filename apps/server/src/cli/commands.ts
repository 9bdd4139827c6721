import type { CliCommand } from './command.ts'

export type ListedCommand = {
  /** The command as typed, for example `database users create`, followed by aliases. */
  readonly names: readonly [string, ...string[]]
  readonly summary: string
  /** Loads the command. Commands load only when they are used, because most of them load a large part of the server. */
  readonly load: () => Promise<CliCommand>
}

/** All commands, in the order in which the help lists them. */
export const commands: readonly ListedCommand[] = [
  {
    names: ['start'],
    summary: 'Start the server.',
    load: async () => (await import('./start.ts')).start,
  },
  {
    names: ['worker'],
    summary: 'Run background jobs and webhooks without serving HTTP (PostgreSQL only).',
    load: async () => (await import('./worker.ts')).worker,
  },
  {
    names: ['database migrate'],
    summary: 'Upgrade the database schema. The server also does this when it starts.',
    load: async () => (await import('./database.ts')).databaseMigrate,
  },
  {
    names: ['database revisions'],
    summary: 'List the schema revisions, oldest first, and whether each is applied.',
    load: async () => (await import('./database.ts')).databaseRevisions,
  },
  {
    names: ['database compact'],
    summary: 'Reclaim disk space after deletions (embedded database only). Stop the server first.',
    load: async () => (await import('./compact.ts')).compact,
  },
  {
    names: ['database users create'],
    summary: 'Create a user. Prompts for the name, role and password if they are omitted.',
    load: async () => (await import('./users/users-create.ts')).usersCreate,
  },
  {
    names: ['database users create-default', 'database users create_default'],
    summary: "Create the owner 'argilla' and a workspace with the same name. The password and API key are generated.",
    load: async () => (await import('./users/users-create-default.ts')).usersCreateDefault,
  },
  {
    names: ['database users update'],
    summary: 'Change the role of a user, or remove the second factor of a user who lost their device.',
    load: async () => (await import('./users/users-update.ts')).usersUpdate,
  },
  {
    names: ['database users migrate'],
    summary: 'Does nothing: users files of Argilla 1 are not supported.',
    load: async () => (await import('./users/users-migrate.ts')).usersMigrate,
  },
  {
    names: ['users list'],
    summary: 'List the users, oldest first. API keys are not shown.',
    load: async () => (await import('./users/users-list.ts')).usersList,
  },
  {
    names: ['workspaces list'],
    summary: 'List the workspaces, oldest first, with the number of users in each.',
    load: async () => (await import('./workspaces.ts')).workspacesList,
  },
  {
    names: ['workspaces create'],
    summary: 'Create a workspace.',
    load: async () => (await import('./workspaces.ts')).workspacesCreate,
  },
  {
    names: ['workspaces add-user'],
    summary: 'Add a user to a workspace.',
    load: async () => (await import('./workspaces.ts')).workspacesAddUser,
  },
  {
    names: ['workspaces remove-user'],
    summary: 'Remove a user from a workspace. Their answers are kept.',
    load: async () => (await import('./workspaces.ts')).workspacesRemoveUser,
  },
  {
    names: ['workspaces delete'],
    summary: 'Delete a workspace that has no datasets.',
    load: async () => (await import('./workspaces.ts')).workspacesDelete,
  },
  {
    names: ['import'],
    summary: 'Import the rows of a file into a dataset as records. Works while the server is running.',
    load: async () => (await import('./import.ts')).importRecords,
  },
  {
    names: ['export'],
    summary: 'Export the records of a dataset with all answers to a file. Works while the server is running.',
    load: async () => (await import('./export.ts')).exportDataset,
  },
  {
    names: ['agreement'],
    summary: "Measure the agreement between a dataset's annotators. Works while the server is running.",
    load: async () => (await import('./agreement.ts')).agreement,
  },
  {
    names: ['migrate-from'],
    summary:
      'Copy a running Argilla 2.8.0 or Postil server, including IDs, times and answers. Run it again after an interruption. Works while the server is running.',
    load: async () => (await import('./migrate-from.ts')).migrateFrom,
  },
  {
    names: ['backup'],
    summary:
      'Back up the whole database to one file, which can be restored to SQLite or PostgreSQL. Works while the server is running.',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    names: ['restore'],
    summary: 'Restore a backup into the data folder or the PostgreSQL database. Stop all servers first.',
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    names: ['doctor'],
    summary: 'Check derived data and stored files, or rebuild derived data with --rebuild. Works while the server is running.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    names: ['secret change'],
    summary: 'Encrypt all secrets in the database with a new secret. Stop all servers first.',
    load: async () => (await import('./secret-change.ts')).secretChange,
  },
  {
    names: ['search-engine reindex'],
    summary: 'Does nothing: search data is always up to date.',
    load: async () => (await import('./reindex.ts')).reindex,
  },
  {
    names: ['version', '--version'],
    summary: 'Print the version.',
    load: async () => (await import('./version.ts')).version,
  },
]
