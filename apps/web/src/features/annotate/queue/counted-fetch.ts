import type { QueueOptions, RecordPage } from './item.ts'

const recounts = 5

/**
 * Fetches pages, and asks again for the count while answers are confirmed meanwhile: they may be in it or not.
 * @param confirmations how many answers the server has confirmed so far
 */
export const createCountedFetch = (
  fetchPage: QueueOptions['fetchPage'],
  confirmations: () => number,
): QueueOptions['fetchPage'] => {
  // The first page may have been asked for before anything was listened to.
  let isFirst = true
  return async (page): Promise<RecordPage> => {
    let seen = isFirst ? 0 : confirmations()
    isFirst = false
    const { records, total } = await fetchPage(page)
    let counted = total
    for (let tries = 0; seen !== confirmations() && tries < recounts; tries += 1) {
      seen = confirmations()
      counted = (await fetchPage({ offset: 0, limit: 1 })).total
    }
    return { records, total: counted }
  }
}

/** Begins the work unless it is under way. That it fails is told nobody: the count comes with the next page. */
export const createOneAtATime = (work: () => Promise<void>): (() => void) => {
  let isUnderWay = false
  return () => {
    if (isUnderWay) return
    isUnderWay = true
    work()
      .catch(() => undefined)
      .finally(() => {
        isUnderWay = false
      })
  }
}
