import type { Db } from './db.ts'

/**
 * A named command or query. A command is one transaction. A query reads one snapshot. The embedded database runs the function in
 * the thread that owns the connection, so its arguments and result must support structured clone. With PostgreSQL, the function
 * runs in this process. It accesses the database only through `db`.
 */
export type Operation<A, R> = {
  readonly kind: 'command' | 'query'
  readonly name: string
  readonly run: (db: Db, args: A, lateInput?: LateInput) => Promise<R>
}
/**
 * Input that is computed while the command runs. The command requests it in the middle of its transaction, so it must arrive
 * quickly. Null if no input was sent, or if the producer of the input has ended.
 */
export type LateInput = () => Promise<Uint8Array | null>
export type Command<A, R> = Operation<A, R> & {
  readonly kind: 'command'
  /** The name reported to watchers if this command acts on behalf of another one. */
  readonly reportedName?: (args: A) => string
  /** Whether the command only prepares the actual action, for example by consuming a code. The audit log ignores it. */
  readonly isPreparation?: boolean
}
export type Query<A, R> = Operation<A, R> & { readonly kind: 'query'; readonly single: boolean }

const registry = new Map<string, Operation<never, unknown>>()

const register = <O extends Operation<never, unknown>>(operation: O): O => {
  if (registry.has(operation.name)) throw new Error(`operation ${operation.name} is registered twice`)
  registry.set(operation.name, operation)
  return operation
}

/** Declares a write: one transaction, retried up to 3 times after a deadlock. It must not do anything slow. */
export const command = <A, R>(
  name: string,
  run: Operation<A, R>['run'],
  options: Pick<Command<A, R>, 'reportedName' | 'isPreparation'> = {},
): Command<A, R> => register({ kind: 'command', name, run, ...options })

/**
 * Declares a read. All its statements see the same snapshot of the database. With `single`, it must consist of one statement and
 * needs no transaction.
 */
export const query = <A, R>(
  name: string,
  run: (db: Db, args: A) => Promise<R>,
  options: { readonly single?: boolean } = {},
): Query<A, R> => register({ kind: 'query', name, run, single: options.single === true })

/**
 * Name of the command that repeats deferred work if the work was lost, for example in a crash. The command finds the work by the
 * marks that are left by commands that call `defer`.
 */
export const CATCH_UP = 'store.catch-up'

export const findOperation = (name: string): Operation<never, unknown> | undefined => registry.get(name)
