import type { Command, Query } from './operations.ts'

/** `fast`: the page's path. `slow`: cold totals and exports, which never hold up the page. */
export type Lane = 'fast' | 'slow'

export type StoreHealth = { readonly engine: string; readonly version: string; readonly location: string }

export type WriteOptions<R> = {
  /**
   * Is given the result before it is on disk, so that what will be said of it can be made meanwhile; nobody may be told before the write
   * resolves. Called again when the command is run again. Must not throw.
   */
  readonly onResult?: (result: R) => void
  /** What the command asks for as `more`: begun when the command is on its way, once. */
  readonly more?: () => Promise<Uint8Array | null>
}

/** A store of either engine. Rejections are `Problem`s for expected refusals, plain errors for faults. */
export type Store = {
  /** Runs a command: one durable transaction. Resolved means on disk. */
  readonly write: <A, R>(command: Command<A, R>, args: A, options?: WriteOptions<R>) => Promise<R>
  /** Runs a query on one snapshot that contains every command that was confirmed before. */
  readonly read: <A, R>(query: Query<A, R>, args: A, options?: { readonly lane?: Lane }) => Promise<R>
  readonly health: () => Promise<StoreHealth>
  /** What it takes on its disk, in bytes. */
  readonly size: () => Promise<number>
  /** Waits for what runs, then closes. */
  readonly close: () => Promise<void>
}

/** A refusal to open, for people: printed as it is, without a stack. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
  }
}
