import type { QueryClient } from '@tanstack/react-query'
import { signedInUser } from '#features/auth/public.ts'
import type { VisitedPosition } from '#lib/visited-records.ts'
import { visitedAt } from '#lib/visited-records.ts'
import { movingTo } from '../address/moving-to.ts'

type Place = { readonly datasetId: string; readonly position: number }

const nothing: VisitedPosition = { earlier: { before: 0, ids: [] }, current: null }

export const visitedBefore = (queryClient: QueryClient, { datasetId, position }: Place): VisitedPosition => {
  const user = signedInUser(queryClient)
  return user === null ? nothing : visitedAt(user.id, datasetId, position)
}

/** The record that the next queue starts with. */
let chosen: { readonly datasetId: string; readonly recordId: string } | null = null

/** Makes the next queue of a dataset start with the given record, unless someone else has leased the record. */
export const startQueueWith = (datasetId: string, recordId: string): void => {
  chosen = { datasetId, recordId }
}

let isFirstQueue = true

/**
 * Whether this is the first queue since the page was loaded, and the page was loaded by a reload or by the browser's Back or
 * Forward button.
 */
const isReloaded = (): boolean => {
  if (!isFirstQueue || typeof location === 'undefined') return false
  isFirstQueue = false
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.name === location.href && (entry.type === 'reload' || entry.type === 'back_forward')
}

/**
 * `position`: the position of the current record. It differs from the position in the URL if the page was reloaded before the URL
 * was updated.
 */
type QueueStart = VisitedPosition & { readonly position: number }

/**
 * Returns where a new queue starts.
 *
 * - If `startQueueWith` has chosen a record, the queue starts with this record. The choice is then forgotten.
 * - At the first position, the queue starts with the next open record, unless the page was reloaded.
 * - Otherwise, the queue starts with the record that the user saw at this position, if there is one.
 */
export const takeQueueStart = (queryClient: QueryClient, { datasetId, position }: Place): QueueStart => {
  const moving = movingTo.read()
  movingTo.write(null)
  const reloaded = isReloaded()
  const place = reloaded && moving?.datasetId === datasetId ? moving : { datasetId, position }
  const choice = chosen
  chosen = null
  if (choice?.datasetId === datasetId) return { ...nothing, current: choice.recordId, position }
  const visited = visitedBefore(queryClient, place)
  return { ...(place.position === 1 && !reloaded ? nothing : visited), position: place.position }
}
