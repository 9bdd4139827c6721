import type { Dataset } from '@postil/contract/datasets.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { storedPaths } from '#field-types/custom/linked-record.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { href } from '#lib/api/base.ts'
import { call, path } from '#lib/api/client.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { keepApplication } from '#lib/taken/able.ts'
import { tellTakenChanged } from '#lib/taken/changes.ts'
import { dropPack, keepTaken, packOf, takenRecords } from '#lib/taken/store.ts'
import { takeRecords } from '../api.ts'

/** How many records can be taken along at once; the most that one person has in hand. */
export const sizes = [10, 25, 50, 100] as const
export const usualSize = 50

/** What the annotation screen of a dataset asks the server for, and the way to it. */
const addressesOf = ({ id, workspace_id }: Dataset): readonly string[] => [
  '/api/v1/settings',
  '/api/v1/me/home',
  path('/api/v1/workspaces', workspace_id),
  path('/api/v1/datasets', id),
  ...['fields', 'questions', 'label-colours', 'progress', 'queue-settings'].map((part) => path('/api/v1/datasets', id, part)),
  path('/api/v1/me/datasets', id, 'metrics'),
]

const ask = async (address: string): Promise<readonly [string, unknown]> => [address, await call('GET', address, { live: true })]

/** So many pictures are fetched at once: the browser has more to ask the server for. */
const atOnce = 3

/** The pictures of the server's that records show. One that is gone is left out: it could not be shown with a network either. */
const picturesOf = async (records: readonly AnnotationRecord[]): Promise<ReadonlyMap<string, Blob>> => {
  const left = [...new Set(records.flatMap(({ fields }) => storedPaths(fields)))]
  const found = new Map<string, Blob>()
  const lane = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) {
      const answer = await fetch(href(at), { credentials: 'same-origin' }).catch(() => null)
      if (answer === null || answer.status >= 500) throw new ApiError(answer?.status ?? 0, undefined)
      if (answer.ok) found.set(at, await answer.blob())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return found
}

/** What is on this device of a dataset. */
export type OnDevice = { readonly count: number; readonly takenAt: number }
export const onDevice = async (userId: string, datasetId: string): Promise<OnDevice | null> => {
  const pack = await packOf(userId, datasetId)
  if (pack === null) return null
  return { count: (await takenRecords(userId, datasetId)).length, takenAt: pack.taken_at }
}

/** Puts the next records of a dataset on the device, with everything that answering them needs. @throws ApiError; when the device refuses */
export const takeAlong = async (user: User, dataset: Dataset, count: number): Promise<void> => {
  // The page itself has to be there, or nothing of this could be looked at.
  await keepApplication({ asksForNewer: true })
  const [{ records }, ...answers] = await Promise.all([
    takeRecords(dataset.id, { limit: count, exclude: [] }),
    ...addressesOf(dataset).map(ask),
  ])
  // The worker that keeps its files does not serve the page that is open: what reads the device is loaded while there is a network.
  await import('#lib/taken/at-hand.ts')
  // The key is not kept where somebody else could read it.
  const me: User = { ...user, api_key: '' }
  const known = new Map<string, unknown>([...answers, ['/api/v1/me', me]])
  await keepTaken({ userId: user.id, datasetId: dataset.id, answers: known, records, files: await picturesOf(records) })
  preferences.write({ keptFor: user.id })
  tellTakenChanged()
  // A browser that is asked does not throw it away when the disk gets full.
  await navigator.storage?.persist?.().catch(() => false)
}

export const leaveBehind = (userId: string, datasetId: string): Promise<void> => dropPack(userId, datasetId)
