import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store.ts'
import { DATABASE_FILE, openConnection } from './connection.ts'
import { damageOf, reasonOf } from './fault.ts'
import { lockFolder } from './lock.ts'
import { damageIn } from './snapshot.ts'

/** Size of a log frame relative to its page, rounded up. */
const WITH_FRAMES = 1.01

type Compacting = {
  readonly timeoutMs?: number
  /** Formats sizes in messages about missing disk space. */
  readonly sizeOf: (bytes: number) => string
}
type Compacted = { readonly before: number; readonly after: number }

const numberIn = (db: DatabaseSync, pragma: 'page_size' | 'page_count' | 'freelist_count'): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])

/** Checkpoints and empties the log. @returns false if a reader still needs it */
const emptyLog = (db: DatabaseSync): boolean => db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0

/**
 * @throws StoreError if the disk has less free space than twice the size of the retained data: once for the copy and once for
 * the log
 */
const refuseWithoutSpace = async (db: DatabaseSync, folder: string, { sizeOf }: Compacting): Promise<void> => {
  const usedBytes = (numberIn(db, 'page_count') - numberIn(db, 'freelist_count')) * numberIn(db, 'page_size')
  const { bavail, bsize } = await statfs(folder)
  const [requiredBytes, free] = [Math.ceil(2 * usedBytes * WITH_FRAMES), bavail * bsize]
  if (free >= requiredBytes) return
  throw new StoreError(
    `The disk that holds ${folder} has ${sizeOf(free)} free, but compacting needs ${sizeOf(requiredBytes)}: twice the size of the retained data. Free some space first. Nothing was changed.`,
  )
}

/**
 * Returns the space of deleted data to the disk. SQLite does this in a transaction on its own file, so killing the process at
 * any moment leaves the database unchanged. Concurrent commands wait.
 * @throws StoreError; nothing has been changed in that case
 */
export const compactDatabase = async (folder: string, options: Compacting): Promise<Compacted> => {
  const path = join(folder, DATABASE_FILE)
  const lock = lockFolder(folder)
  try {
    const db = openConnection(path, 'writer', options.timeoutMs)
    try {
      const busy = new StoreError(`Another command is using ${path}. Wait for it to finish, then try again. Nothing was changed.`)
      if (!emptyLog(db)) throw busy
      const before = statSync(path).size
      await refuseWithoutSpace(db, folder, options)
      const damage = damageIn(db)
      if (damage !== null) throw new StoreError(`The database ${path} is damaged (${damage}). It was not changed.`)
      // The copy is as large as the retained data. It is written to the disk whose space was checked, not to memory. The file has
      // no name, so a killed process can't leave it behind.
      db.exec('PRAGMA temp_store = FILE')
      db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`)
      db.exec('VACUUM')
      if (!emptyLog(db)) {
        throw new StoreError(
          `Another command is reading ${path}. The file will shrink after a later write if no command is reading it then.`,
        )
      }
      return { before, after: statSync(path).size }
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    const damage = damageOf(error, path)
    throw new StoreError(`${damage ?? `The database ${path} was not changed: ${reasonOf(error, folder)}`}.`)
  } finally {
    lock.release()
  }
}
