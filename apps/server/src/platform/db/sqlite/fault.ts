import { accessSync, constants } from 'node:fs'
import type { ProblemData } from '@postil/contract/wire/errors.ts'

/** Primary result codes of SQLite: the low byte of what `node:sqlite` calls `errcode`. */
const BUSY = 5
const NO_MEMORY = 7
const READ_ONLY = 8
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
/** An error of reading or writing, says SQLite, where the disk has no room for the memory that processes share. */
const NO_ROOM_TO_SHARE = 4874
/** What is in the file is not what was written. */
const DAMAGED = new Set([11, 26])

type Cause = { readonly sentence: string; readonly retryAfterSeconds: number }

const causes: { readonly [code: number]: Cause } = {
  [BUSY]: { sentence: 'Another process is writing to the database', retryAfterSeconds: 1 },
  [NO_MEMORY]: { sentence: 'There is not enough memory for this', retryAfterSeconds: 5 },
  [READ_ONLY]: { sentence: 'The data folder can only be read', retryAfterSeconds: 10 },
  [IO_ERROR]: { sentence: 'The disk of the data folder refuses to be read or written', retryAfterSeconds: 10 },
  [FULL]: { sentence: 'The disk of the data folder is full', retryAfterSeconds: 10 },
  [CANNOT_OPEN]: { sentence: 'The database file cannot be opened', retryAfterSeconds: 10 },
}

const codeOf = (error: unknown): number | undefined => {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return undefined
  return errcode === NO_ROOM_TO_SHARE ? FULL : errcode & 0xff
}

const causeOf = (error: unknown): Cause | undefined => causes[codeOf(error) ?? 0]

/** What is said of an error that no waiting helps: the file is damaged. Null for any other error. */
export const damageOf = (error: unknown, path: string): string | null =>
  DAMAGED.has(codeOf(error) ?? 0)
    ? `The database file ${path} is damaged (${(error as Error).message}): copy its folder away, and put a backup in its place with 'postil restore FILE --force'`
    : null

/**
 * What is said of an error that the machine is the cause of, and not the request: it may succeed once the cause is gone. Null for
 * any other error.
 */
export const passingFault = (error: unknown): ProblemData | null => {
  const cause = causeOf(error)
  if (cause === undefined) return null
  return {
    kind: 'unavailable',
    detail: `${cause.sentence}; nothing was changed, try again`,
    retryAfterSeconds: cause.retryAfterSeconds,
    ...(codeOf(error) === FULL && { lacksRoom: cause.sentence }),
  }
}

/** Why the data folder cannot be worked with, for whoever starts a server. */
export const reasonOf = (error: unknown, folder: string): string => {
  const { message } = error as Error
  try {
    accessSync(folder, constants.W_OK)
  } catch (refused) {
    // NOTE: of a folder that can only be read the database says no more than that a file cannot be opened
    const { code = '' } = refused as NodeJS.ErrnoException
    return `this user can only read the data folder, or not even that (${message.startsWith(code) ? '' : `${code}: `}${message})`
  }
  const cause = causeOf(error)?.sentence
  return cause === undefined ? message : `${cause} (${message})`
}
