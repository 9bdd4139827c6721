import type { Command, Query } from './operations.ts'

/** `fast` is for the web app's requests. `slow` is for uncached totals and exports, which must not delay the web app. */
export type Lane = 'fast' | 'slow'

export type StoreHealth = { readonly engine: string; readonly version: string; readonly location: string }

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
  /** Size on disk in bytes. */
  readonly size: () => Promise<number>
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
