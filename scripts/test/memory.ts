import { accessSync, chmodSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { alive } from '../lib/run.mjs'

/** Linux keeps what is written there in memory. */
const SHARED = '/dev/shm'
/** So much must be free: several times what the stores of a whole run take. */
const ENOUGH = 8 * 1024 ** 3
const NAME = /^postil-test-(\d+)-/

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(SHARED)
  return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Folders of runs that were killed before they could remove them. */
const removeOrphans = (): void => {
  for (const name of readdirSync(SHARED)) {
    const owner = NAME.exec(name)?.[1]
    if (owner !== undefined && !alive(Number(owner))) rmSync(join(SHARED, name), { recursive: true, force: true })
  }
}

/**
 * A folder in memory for the stores of tests, where the machine has enough of it: what they write is written the same, and nobody waits
 * for a disk thousands of times. It is gone with this process.
 */
export const folderInMemory = (): string | undefined => {
  if (!existsSync(SHARED) || !isWritable(SHARED)) return undefined
  removeOrphans()
  if (!hasRoom()) return undefined
  const folder = mkdtempSync(join(SHARED, `postil-test-${process.pid}-`))
  // PostgreSQL runs as another user than root and has to get through.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
