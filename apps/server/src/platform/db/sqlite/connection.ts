import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import { StoreError } from '../store.ts'
import { reasonOf } from './fault.ts'

export const DATABASE_FILE = 'postil.db'

/** The pragmas in force; `durability.test.ts` reads them back. Every commit is synced to disk (`FULL`, WAL). */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = OFF',
  'temp_store = MEMORY',
  // NOTE: the system keeps the file's pages; mapped into each thread they would count as ours several times
  'mmap_size = 0',
  // NOTE: about 16 MB of log, after which a commit carries it over into the database file
  'wal_autocheckpoint = 4000',
  'journal_size_limit = 67108864',
]

/** In KiB. A bulk touches pages all over the indexes; a page of records a few. */
const CACHE = { writer: 32_000, reader: 16_000 } as const

/**
 * Opens the database file of the embedded store; a reader's connection refuses every write.
 * @param timeoutMs how long a statement waits for another process
 */
export const openConnection = (path: string, mode: 'writer' | 'reader', timeoutMs = 5000): DatabaseSync => {
  if (mode === 'writer') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // NOTE: the wait counts from the first statement on, which may meet another process that recovers the log
    const db = new DatabaseSync(path, { allowExtension: true, timeout: timeoutMs })
    db.loadExtension(getLoadablePath())
    db.enableLoadExtension(false)
    for (const pragma of [...pragmas, `cache_size = -${CACHE[mode]}`]) db.exec(`PRAGMA ${pragma}`)
    if (mode === 'reader') db.exec('PRAGMA query_only = ON')
    return db
  } catch (error) {
    throw new StoreError(`The database file ${path} cannot be opened: ${reasonOf(error, dirname(path))}.`)
  }
}
