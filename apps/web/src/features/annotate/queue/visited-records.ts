/** The records at consecutive positions of the queue that were on the screen in this tab. */
export type VisitedRecords = {
  /** How many positions precede the first record. */
  readonly before: number
  readonly ids: readonly string[]
}

type Stored = VisitedRecords & { readonly datasetId: string }

const key = 'postil.queue'
/** Limits how much is stored with every record. */
const maxStored = 1000

const read = (): Stored | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null
  } catch {
    return null
  }
}

/** Stores which records the user has seen in a dataset's queue. They survive a reload but are lost when the tab is closed. */
export const storeVisited = (datasetId: string, { before, ids }: VisitedRecords): void => {
  const dropped = Math.max(0, ids.length - maxStored)
  const stored: Stored = { datasetId, before: before + dropped, ids: ids.slice(dropped) }
  try {
    sessionStorage.setItem(key, JSON.stringify(stored))
  } catch {
    // Without storage, a reload starts the queue again.
  }
}

/** Forgets the records, because the next user of the tab may be someone else. */
export const forgetVisited = (): void => {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

/**
 * Returns the records that preceded a position of the queue, and the record at the position. The record is null if it isn't
 * known. Without stored records, the queue starts at its first position.
 */
export const visitedAt = (
  datasetId: string,
  position: number,
): { readonly earlier: VisitedRecords; readonly current: string | null } => {
  const stored = read()
  const count = stored?.datasetId === datasetId ? position - 1 - stored.before : 0
  if (!stored || count < 0 || count > stored.ids.length || position === 1)
    return { earlier: { before: 0, ids: [] }, current: null }
  return { earlier: { before: stored.before, ids: stored.ids.slice(0, count) }, current: stored.ids[count] ?? null }
}
