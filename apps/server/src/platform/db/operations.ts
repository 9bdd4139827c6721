import type { Db } from './db.ts'

/**
 * A write or a read by name. The embedded store runs it in the thread that owns the connection, so its arguments and
 * its result must survive structured clone; PostgreSQL runs the same function in process. `db` is the only handle it
 * can reach: a command is one transaction from begin to commit, a query reads one snapshot.
 */
export type Operation<A, R> = {
  readonly kind: 'command' | 'query'
  readonly name: string
  readonly run: (db: Db, args: A, more?: More) => Promise<R>
}
/**
 * What a command need not have to begin with, made while it works: it asks for it in the middle of its transaction, while which it must
 * not take long. Null where nothing was sent, or what was to make it is gone.
 */
export type More = () => Promise<Uint8Array | null>
export type Command<A, R> = Operation<A, R> & {
  readonly kind: 'command'
  /** What it is called by those who watch, where it stands for another one. */
  readonly toldAs?: (args: A) => string
  /** Whether it only goes before what a call is about, such as taking a code: the audit log does not take it for the act. */
  readonly before?: boolean
}
export type Query<A, R> = Operation<A, R> & { readonly kind: 'query'; readonly single: boolean }

const registry = new Map<string, Operation<never, unknown>>()

const register = <O extends Operation<never, unknown>>(operation: O): O => {
  if (registry.has(operation.name)) throw new Error(`operation ${operation.name} is declared twice`)
  registry.set(operation.name, operation)
  return operation
}

/** Declares a write: one transaction, re-run up to 3 times after a deadlock. Nothing slow may happen inside. */
export const command = <A, R>(
  name: string,
  run: Operation<A, R>['run'],
  options: Pick<Command<A, R>, 'toldAs' | 'before'> = {},
): Command<A, R> => register({ kind: 'command', name, run, ...options })

/** Declares a read of one snapshot. A read of one statement only says `single`: it needs no transaction of its own. */
export const query = <A, R>(
  name: string,
  run: (db: Db, args: A) => Promise<R>,
  options: { readonly single?: boolean } = {},
): Query<A, R> => register({ kind: 'query', name, run, single: options.single === true })

/** The command that does what others have put off by `putOff` and that was lost, by the marks they left. */
export const CATCH_UP = 'store.catch-up'

export const findOperation = (name: string): Operation<never, unknown> | undefined => registry.get(name)
