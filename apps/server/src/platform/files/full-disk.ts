import { statfs } from 'node:fs/promises'
import { unavailable } from '@postil/contract/wire/errors.ts'
import { StoreError } from '../db/store.ts'

/**
 * Matches system messages about a full disk. The message is matched instead of the error's code, because an error from another
 * thread has only its message.
 */
const FULL = /^(ENOSPC|EDQUOT):/
/** Matches system messages about a folder that this user can't write to, or that is on a read-only disk. */
const LOCKED = /^(EACCES|EPERM|EROFS|ENOTDIR):/
const RETRY_SECONDS = 10

/**
 * Returns an error's message, which begins with the system's error code, for example `ENOSPC:`. For an error from `makeFolder`,
 * this is the message of its cause.
 */
const codeIn = (error: unknown): string => {
  const said = error instanceof StoreError ? error.cause : error
  return said instanceof Error ? said.message : ''
}

/**
 * A `catch` handler that reports a full disk or an unwritable folder to the client and in the log.
 * @param folder the folder's name for users
 * @throws Problem unavailable, or the original error
 */
export const asFullDiskProblem =
  (folder: string) =>
  (error: unknown): never => {
    const said = codeIn(error)
    if (FULL.test(said)) throw unavailable(`The disk that holds ${folder} is full. Free some space and try again`, RETRY_SECONDS)
    if (LOCKED.test(said))
      throw unavailable(
        `The server cannot write to ${folder}. Ask its operator to fix the permissions, then try again`,
        RETRY_SECONDS,
      )
    throw error
  }

/**
 * Refuses a file of a known size, before the client sends it, if the disk doesn't have enough free space.
 * @param existing a folder on the disk
 * @throws Problem unavailable
 */
export const checkFreeSpace = async (existing: string, bytes: number): Promise<void> => {
  // A file system that doesn't report its space is not checked.
  const { bavail, bsize } = await statfs(existing).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }))
  const free = bavail * bsize
  if (bytes > free)
    throw unavailable(
      `The file has ${bytes} bytes, and the disk that holds the upload folder has space for ${free}. Free some space and try again`,
      RETRY_SECONDS,
    )
}

export const uploadsFull = asFullDiskProblem('the upload folder')
