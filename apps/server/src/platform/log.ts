import { destination, type Logger, pino } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const STDERR = 2

/**
 * The server's log, as lines of JSON on standard error; what people must read at start is printed on standard output. Lines name the process: those
 * of several are collected into one.
 */
export const createLog = (level: LogLevel): Logger =>
  pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: STDERR, sync: level !== 'silent' }),
  )
