import { accessSync, chmodSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../lib/run.mjs'

/** Linux keeps this folder in memory. */
const SHM = '/dev/shm'
/** Free memory that is required: several times the size of all databases of a run. */
const MIN_FREE_BYTES = 8 * 1024 ** 3
const NAME = /^postil-test-(\d+)-/

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(SHM)
  return Math.min(bavail * bsize, process.availableMemory()) > MIN_FREE_BYTES
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Removes the folders of runs that were killed before they could remove them. */
const removeOrphans = (): void => {
  for (const name of readdirSync(SHM)) {
    const owner = NAME.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(SHM, name), { recursive: true, force: true })
  }
}

/**
 * A folder in memory for the databases of tests, if there is enough memory. The databases write the same data as on a disk, but
 * tests don't wait thousands of times for the disk. The folder is removed when this process ends.
 */
export const folderInMemory = (): string | undefined => {
  if (!existsSync(SHM) || !isWritable(SHM)) return undefined
  removeOrphans()
  if (!hasRoom()) return undefined
  const folder = mkdtempSync(join(SHM, `postil-test-${process.pid}-`))
  // PostgreSQL runs as a different user than root and needs access.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
