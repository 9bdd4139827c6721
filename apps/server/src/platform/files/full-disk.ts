import { unavailable } from '@postil/contract/wire/errors.ts'
import { StoreError } from '../db/store.ts'

/** How messages of the system begin that say so; they name no folder, and a thread passes on nothing else of them. */
const FULL = /^(ENOSPC|EDQUOT):/
/** The same for a folder that is not this user's, or whose disk can only be read. */
const LOCKED = /^(EACCES|EPERM|EROFS|ENOTDIR):/
const RETRY_SECONDS = 10

/** What the system says, also of a folder that `makeFolder` could not make. */
const saidIn = (error: unknown): string => {
  const said = error instanceof StoreError ? error.cause : error
  return said instanceof Error ? said.message : ''
}

/**
 * For `catch`: tells whose disk is full, or which folder cannot be written to, to who asked and in the log.
 * @param folder as people know it. @throws Problem unavailable, or the error
 */
export const tellFull =
  (folder: string) =>
  (error: unknown): never => {
    const said = saidIn(error)
    if (FULL.test(said)) throw unavailable(`The disk of ${folder} is full; try again when there is room`, RETRY_SECONDS)
    if (LOCKED.test(said))
      throw unavailable(`The server may not write to ${folder}; try again when its operator has seen to it`, RETRY_SECONDS)
    throw error
  }

export const uploadsFull = tellFull('the folder for uploads')
