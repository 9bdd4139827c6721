import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from '../db/store.ts'

/**
 * Makes a folder for this user alone, and those above it that are missing.
 * NOTE: not by `recursive`, which tries for ever where the system has no room for folders, as below /proc
 * @returns the uppermost that was made; undefined when all were there
 * @throws StoreError for people
 */
export const makeFolder = (folder: string): string | undefined => {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.push(at)
  missing.reverse()
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // NOTE: another process may be starting on the same folder
      if (code !== 'EEXIST') throw new StoreError(`The folder ${folder} cannot be made: ${message}.`, { cause: error })
    }
  }
  return missing[0]
}
