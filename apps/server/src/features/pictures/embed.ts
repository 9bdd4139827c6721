import { fileNamedBy, type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-names.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Config } from '#platform/config/read-config.ts'
import { fileStore } from '#platform/files/file-store.ts'

/** A value that leaves this server: the address of a stored file of the dataset becomes a data URL of what is in it; null where that is lost. */
export const embedded = async (config: Config, dataset_id: string, value: JsonValue): Promise<JsonValue> => {
  const named = fileNamedBy(value)
  // NOTE: an address may name any dataset; who exports one has no right to the files of another
  if (named === null || named.dataset_id !== dataset_id) return value
  const file = await (await fileStore(config)).open(dataset_id, named.name)
  if (file === null) return null
  const parts: Uint8Array[] = []
  for await (const part of file.read(0, file.size)) parts.push(part)
  const type = storedTypes[named.name.slice(named.name.lastIndexOf('.') + 1) as StoredEnding]
  return `data:${type};base64,${Buffer.concat(parts).toString('base64')}`
}
