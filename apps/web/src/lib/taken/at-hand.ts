import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { SearchBodyInput, SearchResult } from '@postil/contract/search.ts'
import { isOnline } from '#lib/net/connection.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import type { Page } from './list-at-hand.ts'
import { OutOfReach } from './out-of-reach.ts'
import * as store from './store.ts'

/** The records of a dataset that are on this device, for whoever was signed in here last. */
export const recordsAtHand = async (datasetId: string): Promise<readonly AnnotationRecord[]> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? [] : store.takenRecords(keptFor, datasetId).catch(() => [])
}

/** A picture of the server's that is on this device, for whoever was signed in here last. */
export const fileAtHand = async (path: string): Promise<Blob | undefined> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? undefined : store.fileAt(keptFor, path).catch(() => undefined)
}

type Asked = { readonly method: string; readonly address: string; readonly query?: unknown; readonly body?: unknown }

const records = /^\/api\/v1\/me\/datasets\/([^/]+)\/(queue|records\/search)$/

/** @throws OutOfReach where what is searched was not taken along */
const searchAtHand = async (userId: string, datasetId: string, { query, body }: Asked): Promise<SearchResult> => {
  const [{ listOf, pageOf, statusAskedFor }, { openDevice }] = await Promise.all([
    import('./list-at-hand.ts'),
    // NOTE: the outbox itself asks the server, for which this stands in
    import('#lib/outbox/device.ts'),
  ])
  const status = statusAskedFor(body as SearchBodyInput)
  if (status !== null) {
    const lines = new Map((await (await openDevice()).lines(userId)).map((line) => [line.record_id, line]))
    const found = listOf(await recordsAtHand(datasetId), lines, status)
    // All that is left to do without the server is here, and may be nothing.
    if (found.length > 0 || status === 'pending') return pageOf(found, query as Page)
  }
  throw new OutOfReach({ code: 'not_on_device', isWorthAnotherTry: isOnline() })
}

/**
 * What this device has in place of the server's answer, for whoever was signed in here last; undefined where nothing of it was taken
 * along. @throws OutOfReach where other records of the dataset were
 */
export const answerAtHand = async (asked: Asked): Promise<unknown> => {
  const { keptFor } = preferences.read()
  const { method, address } = asked
  if (keptFor === null) return undefined
  if (method === 'GET') return store.answerAt(keptFor, address).catch(() => undefined)
  const [, datasetId, what] = records.exec(address) ?? []
  if (datasetId === undefined) return undefined
  const pack = await store.packOf(keptFor, decodeURIComponent(datasetId)).catch(() => null)
  if (pack === null) return undefined
  // Which of those that were taken along come next is known to who hands them out.
  if (what === 'queue') throw new OutOfReach({ isWorthAnotherTry: false })
  return searchAtHand(keptFor, pack.dataset_id, asked)
}
