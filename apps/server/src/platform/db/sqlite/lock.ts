import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store.ts'

/**
 * One server per data folder: an exclusive transaction on a file beside the data, held as long as the process lives.
 * The operating system gives it back also after `kill -9`. Command-line tools do not take it.
 */
export const lockFolder = (folder: string): { release: () => void } => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(join(folder, 'lock.db'))
  try {
    db.exec('PRAGMA busy_timeout = 0')
    db.exec('BEGIN EXCLUSIVE')
  } catch {
    db.close()
    throw new StoreError(
      `Another Postil server is already running on the data folder ${folder}. Stop it first, or choose another folder with POSTIL_DATA_DIR.`,
    )
  }
  return { release: () => db.close() }
}
