import { accessSync, constants } from 'node:fs'
import type { ProblemData } from '@postil/contract/wire/errors.ts'

/** SQLite's primary result codes: the low byte of `errcode` in `node:sqlite`. */
const BUSY = 5
const NO_MEMORY = 7
const READ_ONLY = 8
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
/** SQLite's code for the I/O error that it reports if the disk has no space for the shared-memory file. */
const NO_SHARED_MEMORY = 4874
/** SQLite's result codes for a damaged file. */
const DAMAGED = new Set([11, 26])

type Cause = { readonly sentence: string; readonly retryAfterSeconds: number }

const causes: { readonly [code: number]: Cause } = {
  [BUSY]: { sentence: 'Another process is writing to the database', retryAfterSeconds: 1 },
  [NO_MEMORY]: { sentence: 'There is not enough memory', retryAfterSeconds: 5 },
  [READ_ONLY]: { sentence: 'The data folder is read-only', retryAfterSeconds: 10 },
  [IO_ERROR]: { sentence: 'The disk of the data folder reported an I/O error', retryAfterSeconds: 10 },
  [FULL]: { sentence: 'The disk of the data folder is full', retryAfterSeconds: 10 },
  [CANNOT_OPEN]: { sentence: 'The database file cannot be opened', retryAfterSeconds: 10 },
}

const codeOf = (error: unknown): number | undefined => {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return undefined
  return errcode === NO_SHARED_MEMORY ? FULL : errcode & 0xff
}

const causeOf = (error: unknown): Cause | undefined => causes[codeOf(error) ?? 0]

/** The message for a damaged file, which a retry can't fix; null for any other error. */
export const damageOf = (error: unknown, path: string): string | null =>
  DAMAGED.has(codeOf(error) ?? 0)
    ? `The database file ${path} is damaged (${(error as Error).message}). Copy its folder to a safe place, then restore a backup with 'postil restore FILE --force'`
    : null

/**
 * The problem for an error that was caused by the machine, not by the request. The request may succeed once the cause is gone.
 * Null for any other error.
 */
export const passingFault = (error: unknown): ProblemData | null => {
  const cause = causeOf(error)
  if (cause === undefined) return null
  return {
    kind: 'unavailable',
    detail: `${cause.sentence}. Nothing was changed. Try again`,
    cause: cause.sentence,
    retryAfterSeconds: cause.retryAfterSeconds,
    ...(codeOf(error) === FULL && { lacksRoom: cause.sentence }),
  }
}

/** Explains to the operator why the data folder can't be used. */
export const reasonOf = (error: unknown, folder: string): string => {
  const { message } = error as Error
  try {
    accessSync(folder, constants.W_OK)
  } catch (refused) {
    // For a read-only folder, SQLite's error says only that it can't open a file. The sentence therefore names the cause.
    const { code = '' } = refused as NodeJS.ErrnoException
    return `this user cannot write to the data folder (${message.startsWith(code) ? '' : `${code}: `}${message})`
  }
  const cause = causeOf(error)?.sentence
  return cause === undefined ? message : `${cause} (${message})`
}
