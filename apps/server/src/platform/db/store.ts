import type { Command, Query } from './operations.ts'

/**
 * `fast` is for short queries, which answer the web app's requests. `slow` is for long queries, such as uncached searches and
 * exports, which must not delay the web app.
 */
export type Lane = 'fast' | 'slow'

type StoreHealth = { readonly engine: string; readonly version: string; readonly location: string }

/** A node of a cluster. `bytes` is null if the node can't be reached. `datasets`: the numbers of the datasets on the node. */
export type ClusterNode = {
  readonly host: string
  readonly port: number
  readonly bytes: number | null
  readonly datasets: readonly number[]
}
/** A database that is distributed over several nodes. `faults`: sentences that describe problems with the distribution. */
export type Cluster = { readonly version: string; readonly nodes: readonly ClusterNode[]; readonly faults: readonly string[] }

export type WriteOptions = {
  /** Provides the command's `lateInput`. Called once, after the command was sent. */
  readonly lateInput?: () => Promise<Uint8Array | null>
}

/** A store on either engine. It rejects with a `Problem` for an expected refusal, and with a plain error for a fault. */
export type Store = {
  /** Runs a command as one durable transaction. The result is on disk when the promise resolves. */
  readonly write: <A, R>(command: Command<A, R>, args: A, options?: WriteOptions) => Promise<R>
  /** Runs a query on one snapshot that contains every previously confirmed command. */
  readonly read: <A, R>(query: Query<A, R>, args: A, options?: { readonly lane?: Lane }) => Promise<R>
  readonly health: () => Promise<StoreHealth>
  /** The size on disk in bytes, summed over all reachable nodes. */
  readonly size: () => Promise<number>
  /** Returns the cluster that the database is distributed across. Null if the database is on one machine. */
  readonly cluster: () => Promise<Cluster | null>
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/** A message for users about a store that can't be opened. It is printed without a stack. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
  }
}
