import { destination, type Logger, pino } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const STDERR = 2
/** Bytes of lines that wait where they cannot be written; later ones are lost. */
const KEPT = 1 << 20

/**
 * The server's log, as lines of JSON on standard error; what people must read at start is printed on standard output. Lines name the process: those
 * of several are collected into one.
 */
export const createLog = (level: LogLevel): Logger => {
  const lines = destination({ fd: STDERR, sync: level !== 'silent', maxLength: KEPT })
  // NOTE: a log that cannot be written, as where its disk is full, is a fault of no request; unheard, it would be one of whatever logs
  lines.on('error', () => undefined)
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, lines)
}
