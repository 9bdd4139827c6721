import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store.ts'
import { DATABASE_FILE, openConnection } from './connection.ts'
import { damageOf, reasonOf } from './fault.ts'
import { lockFolder } from './lock.ts'
import { damageIn } from './snapshot.ts'

/** What a frame of the log takes beside its page, rounded up. */
const WITH_FRAMES = 1.01

export type Compacting = {
  readonly timeoutMs?: number
  /** What has no room is said by it in sentences for people. */
  readonly sizeOf: (bytes: number) => string
}
export type Compacted = { readonly before: number; readonly after: number }

const numberIn = (db: DatabaseSync, pragma: 'page_size' | 'page_count' | 'freelist_count'): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])

/** Carries the log over and empties it. @returns false where somebody reads what is still in it */
const emptyLog = (db: DatabaseSync): boolean => db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0

/** @throws StoreError where the disk has less room than what is kept takes twice: as a copy, and in the log */
const refuseWithoutRoom = async (db: DatabaseSync, folder: string, { sizeOf }: Compacting): Promise<void> => {
  const kept = (numberIn(db, 'page_count') - numberIn(db, 'freelist_count')) * numberIn(db, 'page_size')
  const { bavail, bsize } = await statfs(folder)
  const [wanted, free] = [Math.ceil(2 * kept * WITH_FRAMES), bavail * bsize]
  if (free >= wanted) return
  throw new StoreError(
    `The disk of ${folder} has ${sizeOf(free)} free, and ${sizeOf(wanted)} are needed meanwhile: twice what is kept. Make room first; nothing was changed.`,
  )
}

/**
 * Gives the room of what is deleted back to the disk. The database does it in its own transaction, upon its own file: killed at any moment it is what it was,
 * and commands that work beside it wait.
 * @throws StoreError; then nothing was changed
 */
export const compactDatabase = async (folder: string, options: Compacting): Promise<Compacted> => {
  const path = join(folder, DATABASE_FILE)
  const lock = lockFolder(folder)
  try {
    const db = openConnection(path, 'writer', options.timeoutMs)
    try {
      const busy = new StoreError(
        `Another command is at work on ${path}. Wait for its end, and begin again; nothing was changed.`,
      )
      if (!emptyLog(db)) throw busy
      const before = statSync(path).size
      await refuseWithoutRoom(db, folder, options)
      const damage = damageIn(db)
      if (damage !== null) throw new StoreError(`The database ${path} is damaged (${damage}): it was left as it is.`)
      // NOTE: the copy is as large as what is kept: on the disk that was looked at, and not in memory; it has no name there, so that nothing stays of it
      db.exec('PRAGMA temp_store = FILE')
      db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`)
      db.exec('VACUUM')
      if (!emptyLog(db)) {
        throw new StoreError(
          `Another command has begun to read ${path} meanwhile: it gets smaller when the next one that writes finds nobody there.`,
        )
      }
      return { before, after: statSync(path).size }
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    const damage = damageOf(error, path)
    throw new StoreError(`${damage ?? `The database ${path} was left as it is: ${reasonOf(error, folder)}`}.`)
  } finally {
    lock.release()
  }
}
