import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStore, REFRESH_MS } from './define.ts'
import { asFullDiskProblem } from './full-disk.ts'
import { makeFolder } from './make-folder.ts'

const DRAFT = '.part'

/** A rename survives a power loss only after its folder is synced. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const namesIn = async (path: string): Promise<readonly string[]> =>
  readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** Modification time of a file; null if it doesn't exist. */
const changedAt = async (path: string): Promise<number | null> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return found?.mtimeMs ?? null
}

/** Stores files in a folder: one subfolder per dataset, divided by name prefix so that no folder gets too large. */
export const folderStore = (root: string): FileStore => {
  const folderOf = (dataset: string) => join(root, dataset)
  const pathOf = (dataset: string, name: string) => join(folderOf(dataset), name.slice(0, 2), name)
  return {
    location: root,
    put: async (dataset, name, bytes) => {
      const path = pathOf(dataset, name)
      const known = await changedAt(path)
      if (known !== null) {
        if (known > Date.now() - REFRESH_MS) return
        const renewed = await utimes(path, new Date(), new Date()).then(
          () => true,
          () => false,
        )
        // If the time couldn't be updated, the file has just been deleted, because nothing referred to it. It is then written
        // again.
        if (renewed) return
      }
      const folder = dirname(path)
      const draft = `${path}.${randomUUID()}${DRAFT}`
      let first: string | undefined
      try {
        first = makeFolder(folder)
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        asFullDiskProblem('the image folder')(error)
      }
      await syncFolder(folder)
      // After a crash, a new folder exists only if its parent folder was synced, too.
      if (first !== undefined)
        for (let at = dirname(folder); at.length >= dirname(first).length; at = dirname(at)) await syncFolder(at)
    },
    open: async (dataset, name) => {
      const path = pathOf(dataset, name)
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (found === null || !found.isFile()) return null
      const read = (start: number, end: number): AsyncIterable<Uint8Array> =>
        end <= start ? (async function* () {})() : createReadStream(path, { start, end: end - 1 })
      return { size: found.size, read }
    },
    list: async function* (dataset) {
      for (const part of await namesIn(folderOf(dataset))) {
        for (const name of await namesIn(join(folderOf(dataset), part))) if (!name.endsWith(DRAFT)) yield name
      }
    },
    listOld: async function* (dataset, before) {
      for (const part of await namesIn(folderOf(dataset))) {
        for (const name of await namesIn(join(folderOf(dataset), part))) {
          const at = await changedAt(pathOf(dataset, name))
          if (at !== null && at < before) yield name
        }
      }
    },
    removeOld: async (dataset, name, before) => {
      const at = await changedAt(pathOf(dataset, name))
      if (at !== null && at >= before) return false
      await rm(pathOf(dataset, name), { force: true })
      return true
    },
    remove: async (dataset) => {
      await rm(folderOf(dataset), { recursive: true, force: true, maxRetries: 3 })
      return true
    },
  }
}
