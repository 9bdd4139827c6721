import { destination, type Logger, pino } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const STDERR = 2

/** The server's log, as lines of JSON on standard error; what people must read at start is printed on standard output. */
export const createLog = (level: LogLevel): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: STDERR, sync: level !== 'silent' }))
