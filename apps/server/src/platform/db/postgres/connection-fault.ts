const FULL = '53100'

/**
 * Sentences about missing resources, keyed by PostgreSQL error code. A transaction that reports one of these codes has changed
 * nothing.
 */
const causes: { readonly [code: string]: string } = {
  '25006': 'The database is read-only at the moment',
  '53000': 'The database has insufficient resources',
  [FULL]: 'The disk of the database is full',
  '53200': 'The database ran out of memory',
  '53300': 'The database has reached the connection limit of the server or of its user',
  '58030': 'The disk of the database reported an I/O error',
}

/** Returns a sentence about the resource that the database lacks, and whether it is disk space; null for any other error. */
export const resourceFaultOf = (error: unknown): { readonly sentence: string; readonly isFull: boolean } | null => {
  const { code } = error as { readonly code?: unknown }
  const sentence = typeof code === 'string' ? causes[code] : undefined
  return sentence === undefined ? null : { sentence, isFull: code === FULL }
}

/** Node's error codes for failed connections and DNS lookups. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'])
/**
 * Classes of PostgreSQL error codes: lost connection, too many connections, and a server that is stopping, crashing or
 * starting.
 */
const SERVER = /^(08...|53300|57P0[1-3])$/
/** Error messages from `pg` that have no error code. */
const CLIENT = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/
/**
 * Error messages of Citus. The first one is sent when the coordinator is killed while it waits for a node, the second one when a
 * node is killed while it commits. Both have the error code of an internal error.
 */
const CLUSTER = /^(postmaster was shut down|could not commit transaction for shard)/

/** Whether an error means that the connection failed. The same request may succeed a little later. */
export const isConnectionFault = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (code === 'XX000') return CLUSTER.test(String(message))
  if (typeof code === 'string') return SYSTEM.has(code) || SERVER.test(code)
  return typeof message === 'string' && CLIENT.test(message)
}
