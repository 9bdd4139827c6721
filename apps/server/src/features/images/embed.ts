import { parseFileAddress, type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-addresses.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Config } from '#platform/config/read-config.ts'
import { fileStore } from '#platform/files/file-store.ts'

/**
 * Prepares a value for export: replaces the URL of a stored file of the dataset with a data URL that has the file's content.
 * Returns null if the file is missing.
 */
export const embedImage = async (config: Config, dataset_id: string, value: JsonValue): Promise<JsonValue> => {
  const named = parseFileAddress(value)
  // A URL may refer to any dataset, but a user who exports one dataset may have no access to another dataset's files
  if (named === null || named.dataset_id !== dataset_id) return value
  const file = await (await fileStore(config)).open(dataset_id, named.name)
  if (file === null) return null
  const parts: Uint8Array[] = []
  for await (const part of file.read(0, file.size)) parts.push(part)
  const type = storedTypes[named.name.slice(named.name.lastIndexOf('.') + 1) as StoredEnding]
  return `data:${type};base64,${Buffer.concat(parts).toString('base64')}`
}
