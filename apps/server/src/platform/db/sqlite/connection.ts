import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import { makeFolder } from '../../files/make-folder.ts'
import { StoreError } from '../store.ts'
import { damageOf, reasonOf } from './fault.ts'

export const DATABASE_FILE = 'postil.db'

/** The pragmas in use. Every commit is synced to disk (`FULL`, WAL); `tests/durability/embedded-store.test.ts` verifies it. */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = OFF',
  'temp_store = MEMORY',
  // The operating system already caches the file's pages. If each thread mapped the file, its pages would be counted several
  // times in the memory use of this process.
  'mmap_size = 0',
  'journal_size_limit = 67108864',
]

/** Number of log pages, about 16 MB, after which the log is checkpointed into the database file. */
const LOG_PAGES = 4000
/**
 * Number of log pages above which a commit itself runs a checkpoint. Only a single huge transaction reaches this number.
 * Otherwise, checkpoints run between transactions.
 */
const LOG_PAGES_AT_COMMIT = 16_000

/** Whether SQLite reports the length of its log. Versions since 3.51 do. */
const reportsLogLength = (() => {
  const [major = 0, minor = 0] = (process.versions.sqlite ?? '').split('.').map(Number)
  return major > 3 || (major === 3 && minor >= 51)
})()

/**
 * Cache size in KiB. A larger cache makes neither bulk writes nor searches faster, because the operating system caches the
 * file's pages too.
 */
const CACHE = { writer: 8_000, reader: 4_000 } as const

/**
 * Opens the embedded database's file. A reader's connection refuses every write.
 * @param timeoutMs how long a statement waits for another process
 */
export const openConnection = (path: string, mode: 'writer' | 'reader', timeoutMs = 5000): DatabaseSync => {
  if (mode === 'writer') makeFolder(dirname(path))
  try {
    // Only this user can read the file, even in a folder open to others. SQLite's companion files get the same mode.
    if (mode === 'writer') closeSync(openSync(path, 'a', 0o600))
    // The timeout must apply from the first statement, because another process may be recovering the log.
    const db = new DatabaseSync(path, { allowExtension: true, timeout: timeoutMs })
    db.loadExtension(getLoadablePath())
    db.enableLoadExtension(false)
    const autocheckpoint = `wal_autocheckpoint = ${reportsLogLength ? LOG_PAGES_AT_COMMIT : LOG_PAGES}`
    for (const pragma of [...pragmas, `cache_size = -${CACHE[mode]}`, autocheckpoint]) db.exec(`PRAGMA ${pragma}`)
    if (mode === 'reader') db.exec('PRAGMA query_only = ON')
    return db
  } catch (error) {
    const damage = damageOf(error, path)
    throw new StoreError(`${damage ?? `The database file ${path} cannot be opened: ${reasonOf(error, dirname(path))}`}.`)
  }
}

/**
 * Returns a function that checkpoints the log once it is long enough. A writer calls it after answering. The data is already safe
 * in the log, so nobody has to wait while it is copied and synced.
 */
export const checkpointWhenLong = (db: DatabaseSync): (() => void) => {
  if (!reportsLogLength) return () => undefined
  const length = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  return () => {
    try {
      const { log, checkpointed } = length.get() as { log: number; checkpointed: number }
      if (log - checkpointed >= LOG_PAGES) db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // If the disk fails here, the next commit fails too and reports the error.
    }
  }
}
