import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../files/make-folder.ts'
import { StoreError } from '../store.ts'
import { reasonOf } from './fault.ts'

const BUSY = 5
const isBusy = (error: unknown): boolean => ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === BUSY

const open = (folder: string): DatabaseSync => {
  makeFolder(folder)
  try {
    return new DatabaseSync(join(folder, 'lock.db'))
  } catch (error) {
    throw new StoreError(`The data folder ${folder} cannot be used: ${reasonOf(error, folder)}.`)
  }
}

/**
 * Allows one server per data folder. The lock is an exclusive transaction on a file next to the data, held while the process
 * lives. The operating system releases the lock even after `kill -9`. Command-line tools don't take the lock.
 */
export const lockFolder = (folder: string): { release: () => void } => {
  const db = open(folder)
  try {
    db.exec('PRAGMA busy_timeout = 0')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw new StoreError(`The data folder ${folder} cannot be used: ${reasonOf(error, folder)}.`)
    throw new StoreError(
      `Another Postil server is already running on the data folder ${folder}. Stop it first, or choose another folder with POSTIL_DATA_DIR.`,
    )
  }
  return { release: () => db.close() }
}
