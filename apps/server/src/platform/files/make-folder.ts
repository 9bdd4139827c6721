import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from '../db/store.ts'

/**
 * Creates a folder that only the server's user can access, and any missing parent folders. Doesn't use `recursive`, which retries
 * forever where the system can't create folders, for example below /proc.
 * @returns the topmost created folder; undefined if all folders existed
 * @throws StoreError with a message for users
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
      // Another process that uses the same folder may have created it in the meantime.
      if (code !== 'EEXIST') throw new StoreError(`Cannot create the folder ${folder}: ${message}.`, { cause: error })
    }
  }
  return missing[0]
}
