/** Of Node's sockets and names. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'])
/** Classes of PostgreSQL's error codes: lost connection, too many of them, and a server that stops, crashes or starts. */
const SERVER = /^(08...|53300|57P0[1-3])$/
/** What `pg` says without a code. */
const CLIENT = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** Whether an error says that the database was not reached, or got lost: the same request may succeed a little later. */
export const isConnectionFault = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === 'string') return SYSTEM.has(code) || SERVER.test(code)
  return typeof message === 'string' && CLIENT.test(message)
}
