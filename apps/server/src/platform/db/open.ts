import type { Upgrade } from './migrate.ts'
import { openPostgres } from './postgres/open.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

export type StoreOptions = {
  /** The data folder; holds the embedded store when no database URL is given. */
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  readonly databaseDirectUrl?: string | undefined
  /** A server that follows the database's; long reads go there. */
  readonly databaseReadUrl?: string | undefined
  readonly poolSize?: number | undefined
  /** How long the embedded store waits for another process. */
  readonly timeoutMs?: number | undefined
  /** URL of the module that declares all operations (`src/operations.ts`). */
  readonly operations: string
  /** True for a server, which owns its data folder; tools that run beside it pass false. */
  readonly exclusive: boolean
  /** Is told why a part of the embedded store ended by itself and was started again. */
  readonly onEnd?: (error: Error) => void
  /** Is told why the server that follows the database's does not answer long reads, once until it does again. */
  readonly onReplicaAway?: (reason: Error) => void
  /** Is told before the schema of a store of an older version is changed. */
  readonly onUpgrade?: (upgrade: Upgrade) => void
}

/** Opens the store that the options name and brings its schema up to date. Rejects with `StoreError` for people. */
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
