import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import { makeFolder } from '../../files/make-folder.ts'
import { StoreError } from '../store.ts'
import { damageOf, reasonOf } from './fault.ts'

export const DATABASE_FILE = 'postil.db'

/** The pragmas in force: every commit is synced to disk (`FULL`, WAL), which `durability/embedded-store.test.ts` reads back. */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = OFF',
  'temp_store = MEMORY',
  // NOTE: the system keeps the file's pages; mapped into each thread they would count as ours several times
  'mmap_size = 0',
  'journal_size_limit = 67108864',
]

/** Pages of the log, about 16 MB, after which it is carried over into the database file. */
const LOG_PAGES = 4000
/** A commit carries over only what one transaction alone has made of this; otherwise that is done between transactions. */
const LOG_PAGES_AT_COMMIT = 16_000

/** SQLite tells how long its log is since 3.51. */
const tellsLength = (() => {
  const [major = 0, minor = 0] = (process.versions.sqlite ?? '').split('.').map(Number)
  return major > 3 || (major === 3 && minor >= 51)
})()

/** In KiB: with more of it neither a bulk nor a search is quicker, because the system keeps the file's pages too. */
const CACHE = { writer: 8_000, reader: 4_000 } as const

/**
 * Opens the database file of the embedded store; a reader's connection refuses every write.
 * @param timeoutMs how long a statement waits for another process
 */
export const openConnection = (path: string, mode: 'writer' | 'reader', timeoutMs = 5000): DatabaseSync => {
  if (mode === 'writer') makeFolder(dirname(path))
  try {
    // NOTE: for this user alone, also in a folder that others may look into; the files beside it get what it has
    if (mode === 'writer') closeSync(openSync(path, 'a', 0o600))
    // NOTE: the wait counts from the first statement on, which may meet another process that recovers the log
    const db = new DatabaseSync(path, { allowExtension: true, timeout: timeoutMs })
    db.loadExtension(getLoadablePath())
    db.enableLoadExtension(false)
    const autocheckpoint = `wal_autocheckpoint = ${tellsLength ? LOG_PAGES_AT_COMMIT : LOG_PAGES}`
    for (const pragma of [...pragmas, `cache_size = -${CACHE[mode]}`, autocheckpoint]) db.exec(`PRAGMA ${pragma}`)
    if (mode === 'reader') db.exec('PRAGMA query_only = ON')
    return db
  } catch (error) {
    const damage = damageOf(error, path)
    throw new StoreError(`${damage ?? `The database file ${path} cannot be opened: ${reasonOf(error, dirname(path))}`}.`)
  }
}

/**
 * Carries the log over into the database file once it is long enough. A writer calls it when it has answered, so that nobody waits for the
 * copying and the syncing of what is safe in the log already.
 */
export const carryOver = (db: DatabaseSync): (() => void) => {
  if (!tellsLength) return () => undefined
  const length = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  return () => {
    try {
      const { log, checkpointed } = length.get() as { log: number; checkpointed: number }
      if (log - checkpointed >= LOG_PAGES) db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // NOTE: a disk that fails here fails the next commit too, and whoever waits for that is told
    }
  }
}
