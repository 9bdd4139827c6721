import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { Config } from '#platform/config/read-config.ts'
import { uploadsFull } from '#platform/files/full-disk.ts'
import { makeFolder } from '#platform/files/make-folder.ts'
import type { Source } from './inspect/layout.ts'

type Place = Pick<Config, 'dataDir' | 'uploadDir'>
const folderOf = ({ dataDir, uploadDir }: Place): string => uploadDir ?? join(dataDir, 'uploads')

/** Where the bytes of an uploaded file are. */
export const uploadPath = (config: Place, id: string): string => join(folderOf(config), id)

/** An uploaded file with what is made of it. */
export const sourceOf = (config: Place, id: string): Source => ({
  file: uploadPath(config, id),
  unfolded: (sheet) => `${uploadPath(config, id)}.rows-${sheet}`,
})

const newFile = async (path: string): Promise<FileHandle> => {
  makeFolder(dirname(path))
  return open(path, 'wx', 0o600)
}

/** Writes a file as it arrives; what does not arrive whole is removed. @returns its bytes */
export const keepUpload = async (config: Place, id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  const path = uploadPath(config, id)
  const file = await newFile(path).catch(uploadsFull)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk)
      bytes += chunk.length
    }
    await file.sync()
    await file.close()
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    return uploadsFull(error)
  }
  return bytes
}

/** Removes a file and what was made of it. */
export const removeUpload = async (config: Place, id: string): Promise<void> => {
  const names = await readdir(folderOf(config)).catch(() => [])
  for (const name of names) if (name === id || name.startsWith(`${id}.`)) await rm(join(folderOf(config), name), { force: true })
}

/** The id of the upload that a file in the folder belongs to. */
const idOf = (name: string): string | null => parseUuid(name.split('.')[0] ?? '')

/** Ids of files that nothing was written to since a time. @param before milliseconds since the epoch */
export const uploadsBefore = async (config: Place, before: number): Promise<readonly string[]> => {
  const names = await readdir(folderOf(config)).catch(() => [])
  const old = new Map<string, boolean>()
  for (const name of names) {
    const id = idOf(name)
    const found = id === null ? null : await stat(join(folderOf(config), name)).catch(() => null)
    if (id !== null && found !== null) old.set(id, found.mtimeMs < before && (old.get(id) ?? true))
  }
  return [...old].flatMap(([id, isOld]) => (isOld ? [id] : []))
}
