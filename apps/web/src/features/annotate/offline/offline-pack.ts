import type { Dataset } from '@postil/contract/datasets.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { storedFilePaths } from '#field-types/custom/linked-fields.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { href } from '#lib/api/base.ts'
import { pathOf, send } from '#lib/api/client.ts'
import { notifyOfflineChange } from '#lib/offline/offline-changes.ts'
import { cacheApplication } from '#lib/offline/service-worker.ts'
import { dropPack, getPack, getRecords, storePack } from '#lib/offline/store.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { leaseRecords } from '../api.ts'

/**
 * The numbers of records that the user can choose to save for offline use. The last is the maximum number of leases per person.
 */
export const sizes = [10, 25, 50, 100] as const
export const defaultSize = 50

/** The requests of a dataset's annotation screen, and of the pages leading to it. */
const pathsToStore = ({ id: dataset_id, workspace_id }: Dataset): readonly string[] => [
  pathOf('GET /settings'),
  pathOf('GET /me/home'),
  pathOf('GET /workspaces/:workspace_id', { workspace_id }),
  pathOf('GET /datasets/:dataset_id', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/fields', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/questions', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/label-colours', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/progress', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/queue-settings', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/search-settings', { dataset_id }),
  pathOf('GET /datasets/:dataset_id/suggestion-settings', { dataset_id }),
  pathOf('GET /me/datasets/:dataset_id/metrics', { dataset_id }),
]

const fetchResponse = async (address: string): Promise<readonly [string, unknown]> => [
  address,
  await send('GET', address, { serverOnly: true }),
]

/** How many images are fetched at once. The limit leaves connections for other requests. */
const parallelDownloads = 3

/**
 * Fetches the images on this server that the records show. Missing images are skipped: they couldn't be shown online either.
 */
const fetchImages = async (records: readonly AnnotationRecord[]): Promise<ReadonlyMap<string, Blob>> => {
  const remaining = [...new Set(records.flatMap(({ fields }) => storedFilePaths(fields)))]
  const found = new Map<string, Blob>()
  const downloadNext = async (): Promise<void> => {
    for (let at = remaining.shift(); at !== undefined; at = remaining.shift()) {
      const response = await fetch(href(at), { credentials: 'same-origin' }).catch(() => null)
      if (response === null || response.status >= 500) throw new ApiError(response?.status ?? 0, undefined)
      if (response.ok) found.set(at, await response.blob())
    }
  }
  await Promise.all(Array.from({ length: parallelDownloads }, downloadNext))
  return found
}

/** How many of a dataset's records are on this device, and when they were saved. */
type OfflineState = { readonly count: number; readonly savedAt: number }
export const readOfflineState = async (userId: string, datasetId: string): Promise<OfflineState | null> => {
  const pack = await getPack(userId, datasetId)
  if (pack === null) return null
  return { count: (await getRecords(userId, datasetId)).length, savedAt: pack.taken_at }
}

/**
 * Saves the next records of a dataset on the device, with everything needed to answer them. @throws ApiError, or the error of
 * the device's storage
 */
export const saveForOffline = async (user: User, dataset: Dataset, count: number): Promise<void> => {
  // The app itself must also be cached. Without it, the saved records couldn't be opened.
  await cacheApplication({ checkForUpdate: true })
  const [{ records }, ...responses] = await Promise.all([
    leaseRecords(dataset.id, { limit: count, exclude: [], purpose: 'work' }),
    ...pathsToStore(dataset).map(fetchResponse),
  ])
  // The service worker doesn't answer requests of pages that were opened before it was installed. The code that reads the saved
  // records is therefore loaded now, while the page is online.
  await import('#lib/offline/offline-responses.ts')
  // The API key isn't stored, because other people who use the device could read it.
  const me: User = { ...user, api_key: '' }
  const responsesByPath = new Map<string, unknown>([...responses, [pathOf('GET /me'), me]])
  await storePack({
    userId: user.id,
    datasetId: dataset.id,
    responses: responsesByPath,
    records,
    files: await fetchImages(records),
  })
  preferences.write({ keptFor: user.id })
  notifyOfflineChange()
  // With persistent storage, the browser doesn't evict the data when the disk is full.
  await navigator.storage?.persist?.().catch(() => false)
}

export const removeOffline = (userId: string, datasetId: string): Promise<void> => dropPack(userId, datasetId)
