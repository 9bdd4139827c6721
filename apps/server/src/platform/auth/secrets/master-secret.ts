import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '#platform/db/store.ts'
import { makeFolder } from '#platform/files/make-folder.ts'

/** Name of the secret's file in the data folder. */
export const SECRET_FILE = 'secret'
/** Name of the file that will replace the secret's file. */
const NEXT_FILE = 'secret.next'
const BYTES = 32

const readExisting = async (path: string): Promise<string | null> => {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    if (text.length < BYTES) throw new StoreError(`The file ${path} does not contain a valid secret. Restore it from a backup.`)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns the secret in the data folder, or null. @throws StoreError for an invalid file */
export const readSecretFile = (dataDir: string): Promise<string | null> => readExisting(join(dataDir, SECRET_FILE))

/** Writes a new secret atomically and syncs it to disk before anything is sealed with it. */
const make = async (folder: string, path: string): Promise<void> => {
  makeFolder(folder)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(BYTES).toString('base64url')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    // Another process created the file first, so its secret is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
}

/**
 * The secret that keys are derived from: `POSTIL_SECRET`, or one generated once in the data folder (mode 0600).
 * @throws StoreError with PostgreSQL and no `POSTIL_SECRET`: several processes must share the secret, and a secret stored in
 * the database would not protect that database
 */
export const masterSecret = async (options: {
  readonly secret: string | undefined
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}): Promise<string> => {
  if (options.secret !== undefined) return options.secret
  if (options.databaseUrl !== undefined) {
    throw new StoreError('PostgreSQL requires POSTIL_SECRET: a secret text of at least 16 characters that all servers share.')
  }
  const path = join(options.dataDir, SECRET_FILE)
  const existing = await readExisting(path)
  if (existing !== null) return existing
  try {
    await make(options.dataDir, path)
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(`Cannot write to the data folder ${options.dataDir}: ${(error as Error).message}.`)
  }
  const made = await readExisting(path)
  if (made === null) throw new StoreError(`Cannot write the file ${path}.`)
  return made
}

/** Returns the secret that an unfinished change generated, or null. @throws StoreError */
export const readNextSecret = (dataDir: string): Promise<string | null> => readExisting(join(dataDir, NEXT_FILE))

/** Writes a new secret to a file next to the current secret. If an interrupted change has already written one, keeps that one. */
export const makeNextSecret = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, NEXT_FILE)
  await make(dataDir, path)
  const made = await readExisting(path)
  if (made === null) throw new StoreError(`Cannot write the file ${path}.`)
  return made
}

/** Replaces the current secret with the next one. */
export const adoptNextSecret = async (dataDir: string): Promise<void> => {
  await rename(join(dataDir, NEXT_FILE), join(dataDir, SECRET_FILE))
  const folder = await open(dataDir)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
