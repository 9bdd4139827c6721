/** Error codes of Node's sockets and DNS. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'])
/**
 * Classes of PostgreSQL error codes: lost connection, too many connections, and a server that is stopping, crashing or
 * starting.
 */
const SERVER = /^(08...|53300|57P0[1-3])$/
/** Error messages from `pg` that have no error code. */
const CLIENT = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** Whether an error means that the connection failed. The same request may succeed a little later. */
export const isConnectionFault = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === 'string') return SYSTEM.has(code) || SERVER.test(code)
  return typeof message === 'string' && CLIENT.test(message)
}
