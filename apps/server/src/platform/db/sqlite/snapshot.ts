import { existsSync, renameSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store.ts'
import { DATABASE_FILE, openConnection } from './connection.ts'

/** Number of pages per step of the copy, about 8 MB. The process can be ended between steps. */
const PAGES = 2000

/**
 * Copies a snapshot of a folder's database, including every write committed before the call, and checks the copy for damage. A
 * server may keep writing.
 * @param onCopied called after each step
 * @throws StoreError if there is no database or it is damaged
 */
export const copyDatabase = async (
  folder: string,
  target: string,
  { timeoutMs, onCopied }: { readonly timeoutMs?: number; readonly onCopied?: (bytes: number, total: number) => void } = {},
): Promise<void> => {
  const path = join(folder, DATABASE_FILE)
  if (!existsSync(path)) throw new StoreError(`There is no Postil data in the folder ${folder}.`)
  const source = openConnection(path, 'reader', timeoutMs)
  try {
    // The copy reads this open snapshot. Without it, each write by another process would restart the copy.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_master').get()
    const { page_size } = source.prepare('PRAGMA page_size').get() as { page_size: number }
    await backup(source, target, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) =>
        onCopied?.((totalPages - remainingPages) * Number(page_size), totalPages * Number(page_size)),
    })
    source.exec('COMMIT')
  } finally {
    source.close()
  }
  const problem = damageInFile(target)
  if (problem !== null) throw new StoreError(`The database ${path} is damaged (${problem}). No backup was made.`)
}

/** A description of the damage that SQLite finds in a database, or null. */
export const damageIn = (connection: DatabaseSync): string | null => {
  const [finding] = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})
  return finding === 'ok' ? null : String(finding)
}

/** Like `damageIn`, for a file that nobody else has open. */
const damageInFile = (path: string): string | null => {
  const connection = openConnection(path, 'reader')
  try {
    return damageIn(connection)
  } finally {
    connection.close()
  }
}

/** Returns a setting's value from the `settings` table of a database file, or null. */
export const settingIn = (path: string, name: string): string | null => {
  const connection = openConnection(path, 'reader')
  try {
    const table = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'settings'").get()
    if (table === undefined) return null
    const row = connection.prepare('SELECT value_text FROM settings WHERE name = ?').get(name)
    return typeof row?.value_text === 'string' ? row.value_text : null
  } finally {
    connection.close()
  }
}

/** Copies the rest of a database's log into its file, so that the file alone is the complete database. */
const finishLog = (path: string): void => {
  let busy = false
  try {
    const connection = openConnection(path, 'writer', 0)
    try {
      busy = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0
    } finally {
      connection.close()
    }
  } catch {
    // An unreadable database can't be open in another process. A restore may be about to replace it for this reason.
    return
  }
  if (busy || existsSync(`${path}-wal`)) {
    throw new StoreError(`Another process is using the database ${path}. Stop it first. Nothing was changed.`)
  }
}

/** Syncs a file's content, or a folder's entries, so that they survive a power loss. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Replaces a folder's database file and the files that belong to it, in one step. The caller must hold the folder's lock.
 * @param otherFiles files to move together with the database, and their new names. All files must be on the same disk
 */
export const replaceDatabase = async (
  folder: string,
  file: string,
  otherFiles: readonly { readonly from: string; readonly to: string }[] = [],
): Promise<void> => {
  const path = join(folder, DATABASE_FILE)
  if (existsSync(path)) finishLog(path)
  const moves = [...otherFiles, { from: file, to: path }]
  // All files are synced before any file is moved, because syncing may take a long time or fail. If it fails, the existing
  // database must still have its own secret file, not the new one.
  for (const { from } of moves) await syncPath(from)
  // If these files remained, SQLite would apply the old database's log to the new one.
  for (const suffix of ['-wal', '-shm']) await rm(`${path}${suffix}`, { force: true })
  // Synchronous, so that nothing can run in between, not even a signal handler.
  for (const { from, to } of moves) renameSync(from, to)
  await syncPath(folder)
}
