import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Encoding, encodings } from '@postil/contract/files/encodings.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { Config } from '#platform/config/read-config.ts'
import { checkFreeSpace, uploadsFull } from '#platform/files/full-disk.ts'
import { makeFolder } from '#platform/files/make-folder.ts'
import type { Source } from './inspect/layout.ts'

type UploadPaths = Pick<Config, 'dataDir' | 'uploadDir'>
const folderOf = ({ dataDir, uploadDir }: UploadPaths): string => uploadDir ?? join(dataDir, 'uploads')

export const uploadPath = (config: UploadPaths, id: string): string => join(folderOf(config), id)

/** An uploaded file and the files derived from it. */
export const sourceOf = (config: UploadPaths, id: string): Source => ({
  file: uploadPath(config, id),
  unfolded: (sheet) => `${uploadPath(config, id)}.rows-${sheet}`,
  text: (encoding) => `${uploadPath(config, id)}.text-${encoding}`,
})

/** Rejects a file before it is sent if the disk doesn't have space for its announced size. @throws Problem unavailable */
export const checkUploadSpace = async (config: UploadPaths, bytes: number): Promise<void> => {
  const folder = folderOf(config)
  makeFolder(folder)
  await checkFreeSpace(folder, bytes)
}

const newFile = async (path: string): Promise<FileHandle> => {
  makeFolder(dirname(path))
  return open(path, 'wx', 0o600)
}

/** Writes a file as it arrives. An incomplete file is removed. @returns the file's size in bytes */
export const storeUpload = async (config: UploadPaths, id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
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

/** Removes a file and the files derived from it. */
export const removeUpload = async (config: UploadPaths, id: string): Promise<void> => {
  const names = await readdir(folderOf(config)).catch(() => [])
  for (const name of names) if (name === id || name.startsWith(`${id}.`)) await rm(join(folderOf(config), name), { force: true })
}

/** Removes a file's UTF-8 copies, except those for the source encodings in `kept`. */
export const removeTexts = async (config: UploadPaths, id: string, kept: readonly (Encoding | undefined)[]): Promise<void> => {
  const { text } = sourceOf(config, id)
  for (const encoding of encodings) if (!kept.includes(encoding)) await rm(text(encoding), { force: true })
}

/** The ID of the upload that a file in the folder belongs to. */
const idOf = (name: string): string | null => parseUuid(name.split('.')[0] ?? '')

/** IDs of files last written before a time. @param before milliseconds since the epoch */
export const uploadsBefore = async (config: UploadPaths, before: number): Promise<readonly string[]> => {
  const names = await readdir(folderOf(config)).catch(() => [])
  const old = new Map<string, boolean>()
  for (const name of names) {
    const id = idOf(name)
    const found = id === null ? null : await stat(join(folderOf(config), name)).catch(() => null)
    if (id !== null && found !== null) old.set(id, found.mtimeMs < before && (old.get(id) ?? true))
  }
  return [...old].flatMap(([id, isOld]) => (isOld ? [id] : []))
}
