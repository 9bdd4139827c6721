import { destination, type Logger, pino } from 'pino'

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const STDERR = 2
/** Maximum size of the buffer for lines that can't be written yet, in bytes. Lines beyond it are lost. */
const MAX_LINES = 1 << 20

/**
 * The server's log: JSON lines on standard error. Startup messages for people go to standard output. Each line names its
 * process, because the lines of several processes are collected together.
 */
export const createLog = (level: LogLevel): Logger => {
  const lines = destination({ fd: STDERR, sync: level !== 'silent', maxLength: MAX_LINES })
  // A log that can't be written, for example because the disk is full, must not fail a request. Without a listener, the code
  // that logs would receive the error.
  lines.on('error', () => undefined)
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, lines)
}
