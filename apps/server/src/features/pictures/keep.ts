import { createHash } from 'node:crypto'
import { addressOf, type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-names.ts'
import type { Config } from '#platform/config/read-config.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { knownImageType } from '#platform/images/image-type.ts'

/** Bytes of one image. */
export const MAX_IMAGE = 20_000_000

const endings: readonly (readonly [string, string])[] = Object.entries(storedTypes)

/** Whether bytes may be kept as an image, by their content. @returns their kind, or what is wrong with them, the rest of a sentence */
export const judgeImage = (
  bytes: Uint8Array,
): { readonly type: string; readonly ending: StoredEnding } | { readonly fault: string } => {
  const type = knownImageType(bytes)
  const [ending] = endings.find(([, one]) => one === type) ?? []
  if (type !== null && ending !== undefined) return { type, ending: ending as StoredEnding }
  return {
    fault:
      type === null
        ? 'is no image that can be kept: PNG, JPEG, GIF, WebP, AVIF and BMP can, by their content'
        : `is an image of a kind that browsers do not show (${type})`,
  }
}

const nameOf = (bytes: Uint8Array, ending: StoredEnding): string =>
  `${createHash('sha256').update(bytes).digest('hex')}.${ending}`

type Kept = { readonly bytes: Uint8Array; readonly ending: StoredEnding; readonly base: string }

/** Keeps an image among the files of a dataset. @param base of the server, as in `addressOf`. @returns its address */
export const keepImage = async (config: Config, dataset_id: string, { bytes, ending, base }: Kept): Promise<string> => {
  const name = nameOf(bytes, ending)
  const store = await fileStore(config)
  await store.put(dataset_id, name, bytes)
  return addressOf(base, { dataset_id, name })
}

/** Keeps an image under the name and the dataset that it has on another server. @returns false for bytes that are not the file of that name */
export const keepNamedImage = async (
  config: Config,
  { dataset_id, name }: { readonly dataset_id: string; readonly name: string },
  bytes: Uint8Array,
): Promise<boolean> => {
  const judged = judgeImage(bytes)
  if ('fault' in judged || nameOf(bytes, judged.ending) !== name) return false
  await (await fileStore(config)).put(dataset_id, name, bytes)
  return true
}
