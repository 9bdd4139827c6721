import { existsSync, renameSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store.ts'
import { DATABASE_FILE, openConnection } from './connection.ts'

/** Pages of one step of the copy: some 8 MB, between which the process can be ended. */
const PAGES = 2000

/**
 * Copies the database of a folder as it is at one moment, with every write that was confirmed before; a server goes on writing
 * meanwhile. The copy is checked. @param onCopied told of every step. @throws StoreError where there is none, or it is damaged
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
    // NOTE: a snapshot held open is what is copied; without it each write of another process would begin the copy again
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
  if (problem !== null) throw new StoreError(`The database ${path} is damaged (${problem}): no backup was made of it.`)
}

/** What SQLite finds wrong with a database, null for nothing. */
export const damageIn = (connection: DatabaseSync): string | null => {
  const [finding] = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})
  return finding === 'ok' ? null : String(finding)
}

/** The same of a file that nobody else has open. */
const damageInFile = (path: string): string | null => {
  const connection = openConnection(path, 'reader')
  try {
    return damageIn(connection)
  } finally {
    connection.close()
  }
}

/** A text of the table `settings` in a database file, null where it has none. */
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

/** Writes what the log of a database still holds into its file, so that the file alone is the database. */
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
    // NOTE: a file that cannot be opened is as good a reason to restore as any; nobody has it open then
    return
  }
  if (busy || existsSync(`${path}-wal`)) {
    throw new StoreError(`Another process has the database ${path} open. End it first; nothing was changed.`)
  }
}

/** Makes what was written into a file, or what happened to the names in a folder, last through a loss of power. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Puts a database file in the place of a folder's own, in one step, and what belongs with it in the same breath. The caller holds the folder's lock.
 * @param beside what else takes its place with the database: files and the names they get. All lie on the same disk
 */
export const replaceDatabase = async (
  folder: string,
  file: string,
  beside: readonly { readonly from: string; readonly to: string }[] = [],
): Promise<void> => {
  const path = join(folder, DATABASE_FILE)
  if (existsSync(path)) finishLog(path)
  const moves = [...beside, { from: file, to: path }]
  // NOTE: first, since it may take long or fail, and what is there has its own secret until then
  for (const { from } of moves) await syncPath(from)
  // NOTE: SQLite would take the log of another database for that of this one
  for (const rest of ['-wal', '-shm']) await rm(`${path}${rest}`, { force: true })
  // NOTE: nothing can come between, also no signal
  for (const { from, to } of moves) renameSync(from, to)
  await syncPath(folder)
}
