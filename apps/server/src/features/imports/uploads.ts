import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseUuid } from '@postil/contract/scalars.ts'
import type { Config } from '#platform/config/read-config.ts'

type Place = Pick<Config, 'dataDir' | 'uploadDir'>
const folderOf = ({ dataDir, uploadDir }: Place): string => uploadDir ?? join(dataDir, 'uploads')

/** Where the bytes of an uploaded file are. */
export const uploadPath = (config: Place, id: string): string => join(folderOf(config), id)

/** Writes a file as it arrives; what does not arrive whole is removed. @returns its bytes */
export const keepUpload = async (config: Place, id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  await mkdir(folderOf(config), { recursive: true, mode: 0o700 })
  const path = uploadPath(config, id)
  const file = await open(path, 'wx', 0o600)
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
    throw error
  }
  return bytes
}

export const removeUpload = (config: Place, id: string): Promise<void> => rm(uploadPath(config, id), { force: true })

/** Ids of files that nothing was written to since a time. @param before milliseconds since the epoch */
export const uploadsBefore = async (config: Place, before: number): Promise<readonly string[]> => {
  const names = await readdir(folderOf(config)).catch(() => [])
  const old: string[] = []
  for (const name of names) {
    if (parseUuid(name) === null) continue
    const found = await stat(uploadPath(config, name)).catch(() => null)
    if (found !== null && found.mtimeMs < before) old.push(name)
  }
  return old
}
