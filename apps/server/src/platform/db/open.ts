import type { Upgrade } from './migrate.ts'
import { openPostgres } from './postgres/open.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

type StoreOptions = {
  /** The data folder. It holds the embedded database unless a database URL is given. */
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  readonly databaseDirectUrl?: string | undefined
  /** A read replica of the database, used for long reads. */
  readonly databaseReadUrl?: string | undefined
  readonly poolSize?: number | undefined
  /** How long the embedded database waits for a lock held by another process. */
  readonly timeoutMs?: number | undefined
  /** URL of the module that declares all operations (`src/operations.ts`). */
  readonly operations: string
  /** True for a server, which owns its data folder; false for tools that run alongside it. */
  readonly exclusive: boolean
  /** Called after a thread of the embedded database has ended unexpectedly and has been replaced. */
  readonly onEnd?: (error: Error) => void
  /** Called when the replica can't answer long reads. Not called again until the replica has answered. */
  readonly onReplicaAway?: (reason: Error) => void
  /** Called before the schema of an older store is changed. */
  readonly onUpgrade?: (upgrade: Upgrade) => void
}

/** Opens the store and upgrades its schema. Rejects with a `StoreError` whose message is for users. */
export const openStore = (options: StoreOptions): Promise<Store> =>
  options.databaseUrl === undefined
    ? openSqlite({
        folder: options.dataDir,
        operations: options.operations,
        exclusive: options.exclusive,
        ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
        ...(options.onEnd !== undefined && { onEnd: options.onEnd }),
        onUpgrade: options.onUpgrade,
      })
    : openPostgres({
        url: options.databaseUrl,
        ...(options.databaseDirectUrl !== undefined && { directUrl: options.databaseDirectUrl }),
        ...(options.databaseReadUrl !== undefined && { readUrl: options.databaseReadUrl }),
        ...(options.poolSize !== undefined && { poolSize: options.poolSize }),
        ...(options.onReplicaAway !== undefined && { onReplicaAway: options.onReplicaAway }),
        onUpgrade: options.onUpgrade,
      })
