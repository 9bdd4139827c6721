import { createHash } from 'node:crypto'
import { fileAddress, type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-addresses.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Config } from '#platform/config/read-config.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { knownImageType } from '#platform/images/image-type.ts'

/** Maximum size of an image in bytes. */
export const MAX_IMAGE = 20_000_000

const endings: readonly (readonly [string, string])[] = Object.entries(storedTypes)

/**
 * Checks whether bytes may be stored as an image, based on their content. @param name the name of the file or column, for the
 * error message
 */
export const validateImage = (
  bytes: Uint8Array,
  name: string,
): { readonly type: string; readonly ending: StoredEnding } | { readonly fault: Reason } => {
  const type = knownImageType(bytes)
  const [ending] = endings.find(([, one]) => one === type) ?? []
  if (type !== null && ending !== undefined) return { type, ending: ending as StoredEnding }
  const file = JSON.stringify(name.slice(0, 200))
  return { fault: type === null ? message('notAnImage', { file }) : message('imageNotShown', { file, type }) }
}

const nameOf = (bytes: Uint8Array, ending: StoredEnding): string =>
  `${createHash('sha256').update(bytes).digest('hex')}.${ending}`

type ImageToStore = { readonly bytes: Uint8Array; readonly ending: StoredEnding; readonly base: string }

/** Stores an image as a file of a dataset. @param base the server's address, as in `fileAddress`. @returns the image's URL */
export const storeImage = async (config: Config, dataset_id: string, { bytes, ending, base }: ImageToStore): Promise<string> => {
  const name = nameOf(bytes, ending)
  const store = await fileStore(config)
  await store.put(dataset_id, name, bytes)
  return fileAddress(base, { dataset_id, name })
}

/** Stores an image from another server under the same name and dataset. @returns false if the bytes don't match the name */
export const storeNamedImage = async (
  config: Config,
  { dataset_id, name }: { readonly dataset_id: string; readonly name: string },
  bytes: Uint8Array,
): Promise<boolean> => {
  const validated = validateImage(bytes, name)
  if ('fault' in validated || nameOf(bytes, validated.ending) !== name) return false
  await (await fileStore(config)).put(dataset_id, name, bytes)
  return true
}
