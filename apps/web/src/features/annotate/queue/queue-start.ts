import type { QueryClient } from '@tanstack/react-query'
import { signedInUser } from '#features/auth/public.ts'
import type { VisitedPosition } from '#lib/visited-records.ts'
import { visitedAt } from '#lib/visited-records.ts'

type Place = { readonly datasetId: string; readonly position: number }

const nothing: VisitedPosition = { earlier: { before: 0, ids: [] }, current: null }

/** Returns which of the records before a position in the queue the user has seen. */
export const visitedBefore = (queryClient: QueryClient, { datasetId, position }: Place): VisitedPosition => {
  const user = signedInUser(queryClient)
  return user === null ? nothing : visitedAt(user.id, datasetId, position)
}

/** The record that the next queue starts with. */
let chosen: { readonly datasetId: string; readonly recordId: string } | null = null

/** Makes the next queue of a dataset start with a record, unless others hold it. */
export const startQueueWith = (datasetId: string, recordId: string): void => {
  chosen = { datasetId, recordId }
}

let isFirstQueue = true

/** Whether the browser has loaded the page again at this URL, instead of following a link to it. */
const isReloaded = (): boolean => {
  if (!isFirstQueue || typeof location === 'undefined') return false
  isFirstQueue = false
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.name === location.href && (entry.type === 'reload' || entry.type === 'back_forward')
}

/**
 * Returns where a new queue starts. If `startQueueWith` has chosen a record, the queue starts there, and the choice is forgotten.
 * At the first position, the queue continues with the next open record, unless the page was reloaded.
 */
export const takeQueueStart = (queryClient: QueryClient, place: Place): VisitedPosition => {
  const reloaded = isReloaded()
  const choice = chosen
  chosen = null
  if (choice?.datasetId === place.datasetId) return { ...nothing, current: choice.recordId }
  const visited = visitedBefore(queryClient, place)
  return place.position === 1 && !reloaded ? nothing : visited
}
