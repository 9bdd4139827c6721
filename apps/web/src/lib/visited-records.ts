import { sessionValue } from './session-value.ts'

/** The records that were on the screen in this tab, at consecutive positions of a queue. */
export type VisitedRecords = {
  /** How many positions precede the first record. */
  readonly before: number
  readonly ids: readonly string[]
}

/**
 * The records that one user has visited in each dataset. The dataset that was visited last comes last. Only this user may see the
 * records.
 */
type Stored = { readonly userId: string; readonly datasets: readonly (readonly [datasetId: string, visited: VisitedRecords])[] }

const store = sessionValue<Stored>('postil.queue')
/**
 * Maximum number of datasets, and maximum number of records per dataset. Each time the user moves to another record, everything
 * is stored again, so it must stay small.
 */
const [maxDatasets, maxRecords] = [5, 1000] as const

const none: VisitedRecords = { before: 0, ids: [] }

/** Stores which records the user has seen in a dataset's queue. The list survives a reload but is lost when the tab is closed. */
export const storeVisited = (userId: string, datasetId: string, { before, ids }: VisitedRecords): void => {
  const dropped = Math.max(0, ids.length - maxRecords)
  const stored = store.read()
  const others = stored?.userId === userId ? stored.datasets.filter(([id]) => id !== datasetId) : []
  const visited = { before: before + dropped, ids: ids.slice(dropped) }
  store.write({ userId, datasets: [...others, [datasetId, visited] as const].slice(-maxDatasets) })
}

/**
 * Drops the visited records of all other users after a sign-in or sign-out.
 * @param userId the signed-in user, or null after a sign-out
 */
export const dropVisitedOfOthers = (userId: string | null): void => {
  if (store.read()?.userId !== userId) store.write(null)
}

/** The records that preceded a position of the queue, and the record at the position. The record is null if it isn't known. */
export type VisitedPosition = { readonly earlier: VisitedRecords; readonly current: string | null }

/**
 * Returns the records that the user has visited up to a position. If this tab hasn't stored them, the list is empty and the queue
 * starts at its first position.
 */
export const visitedAt = (userId: string, datasetId: string, position: number): VisitedPosition => {
  const stored = store.read()
  const visited = stored?.userId === userId ? (stored.datasets.find(([id]) => id === datasetId)?.[1] ?? none) : none
  const count = position - 1 - visited.before
  if (count < 0 || count > visited.ids.length) return { earlier: none, current: null }
  return { earlier: { before: visited.before, ids: visited.ids.slice(0, count) }, current: visited.ids[count] ?? null }
}
