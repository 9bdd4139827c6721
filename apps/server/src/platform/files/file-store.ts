import { join } from 'node:path'
import type { Config } from '#platform/config/read-config.ts'
import type { FileStore } from './define.ts'
import { folderStore } from './folder-store.ts'

type Place = Pick<Config, 'dataDir' | 'files' | 's3Endpoint' | 's3Region' | 's3AccessKey' | 's3SecretKey'>
const stores = new WeakMap<Place, Promise<FileStore>>()

const openStore = async (config: Place): Promise<FileStore> => {
  const { dataDir, files } = config
  if (files?.kind !== 's3') return folderStore(files?.path ?? join(dataDir, 'files'))
  // Loaded only if a bucket is configured.
  const { bucketStore } = await import('./bucket-store.ts')
  return bucketStore({ ...config, ...files })
}

/** Opens the configured file store. */
export const fileStore = (config: Place): Promise<FileStore> => {
  const known = stores.get(config) ?? openStore(config)
  stores.set(config, known)
  return known
}
