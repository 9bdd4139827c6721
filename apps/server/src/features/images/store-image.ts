import { createHash } from 'node:crypto'
import { fileAddress, type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-addresses.ts'
import type { Config } from '#platform/config/read-config.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { knownImageType } from '#platform/images/image-type.ts'

/** Maximum bytes of one image. */
export const MAX_IMAGE = 20_000_000

const endings: readonly (readonly [string, string])[] = Object.entries(storedTypes)

/**
 * Whether bytes may be stored as an image, judging by their content. @returns their type, or the fault as the rest of a
 * sentence
 */
export const validateImage = (
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

type ImageToStore = { readonly bytes: Uint8Array; readonly ending: StoredEnding; readonly base: string }

/** Stores an image as a file of a dataset. @param base of the server, as in `fileAddress`. @returns its URL */
export const storeImage = async (config: Config, dataset_id: string, { bytes, ending, base }: ImageToStore): Promise<string> => {
  const name = nameOf(bytes, ending)
  const store = await fileStore(config)
  await store.put(dataset_id, name, bytes)
  return fileAddress(base, { dataset_id, name })
}

/**
 * Stores an image under the name and dataset that it has on another server. @returns false if the bytes don't match the name
 */
export const storeNamedImage = async (
  config: Config,
  { dataset_id, name }: { readonly dataset_id: string; readonly name: string },
  bytes: Uint8Array,
): Promise<boolean> => {
  const validated = validateImage(bytes)
  if ('fault' in validated || nameOf(bytes, validated.ending) !== name) return false
  await (await fileStore(config)).put(dataset_id, name, bytes)
  return true
}
