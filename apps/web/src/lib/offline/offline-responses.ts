import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { SearchBodyInput, SearchResult } from '@postil/contract/search.ts'
import { isOnline } from '#lib/net/connection.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { OfflineError } from './offline-error.ts'
import type { Page } from './offline-list.ts'
import * as store from './store.ts'

/** Returns the dataset's records on this device, for the user who was signed in last. */
export const offlineRecords = async (datasetId: string): Promise<readonly AnnotationRecord[]> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? [] : store.getRecords(keptFor, datasetId).catch(() => [])
}

/** Returns this device's copy of an image from the server. The copy belongs to the user who was signed in last. */
export const offlineFile = async (path: string): Promise<Blob | undefined> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? undefined : store.getFile(keptFor, path).catch(() => undefined)
}

type OfflineRequest = { readonly method: string; readonly address: string; readonly query?: unknown; readonly body?: unknown }

const recordsPath = /^\/api\/v1\/me\/datasets\/([^/]+)\/(queue|records\/search)$/

/**
 * Runs a search on the records on this device.
 * @throws OfflineError if this device has no result for the search
 */
const searchOffline = async (userId: string, datasetId: string, { query, body }: OfflineRequest): Promise<SearchResult> => {
  const [{ listRecords, pageResult, requestedStatus }, { openDevice }] = await Promise.all([
    import('./offline-list.ts'),
    // The outbox itself calls the server, so a static import would be circular.
    import('#lib/outbox/device.ts'),
  ])
  const status = requestedStatus(body as SearchBodyInput)
  if (status !== null) {
    const lines = new Map((await (await openDevice()).lines(userId)).map((line) => [line.record_id, line]))
    const found = listRecords(await offlineRecords(datasetId), lines, status)
    // For pending records, an empty list is a valid result, because the device has all records that can be answered offline.
    if (found.length > 0 || status === 'pending') return pageResult(found, query as Page)
  }
  throw new OfflineError({ code: 'not_on_device', isRetryable: isOnline() })
}

/**
 * Answers a request from the data that this device has stored for the user who was signed in last. Returns undefined if nothing
 * was saved for the request.
 * @throws OfflineError if records of the dataset were saved, but the request can't be answered from them
 */
export const offlineResponse = async (request: OfflineRequest): Promise<unknown> => {
  const { keptFor } = preferences.read()
  const { method, address } = request
  if (keptFor === null) return undefined
  if (method === 'GET') return store.getResponse(keptFor, address).catch(() => undefined)
  const [, datasetId, endpoint] = recordsPath.exec(address) ?? []
  if (datasetId === undefined) return undefined
  const pack = await store.getPack(keptFor, decodeURIComponent(datasetId)).catch(() => null)
  if (pack === null) return undefined
  // Offline, the web app itself picks the next saved record. It needs no substitute for the response to this request.
  if (endpoint === 'queue') throw new OfflineError({ isRetryable: false })
  return searchOffline(keptFor, pack.dataset_id, request)
}
