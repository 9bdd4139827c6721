import type { FetchPage, RecordPage } from './list-item.ts'

const maxRecounts = 5

/**
 * Fetches pages. If answers are confirmed during a request, requests the count again, because it may or may not include those
 * answers.
 * @param confirmations how many answers the server has confirmed so far
 */
export const createCountedFetch = (fetchPage: FetchPage, confirmations: () => number): FetchPage => {
  // The first page may have been requested before this list existed. All confirmations so far may have come after that request.
  let isFirst = true
  return async (page): Promise<RecordPage> => {
    let seen = isFirst ? 0 : confirmations()
    isFirst = false
    const { records, total } = await fetchPage(page)
    let latestTotal = total
    for (let tries = 0; seen !== confirmations() && tries < maxRecounts; tries += 1) {
      seen = confirmations()
      latestTotal = (await fetchPage({ offset: 0, limit: 1 })).total
    }
    return { records, total: latestTotal }
  }
}

/**
 * Returns a function that starts the work unless the work is already running. Failures are ignored, because the next page
 * contains the count.
 */
export const createSingleFlight = (work: () => Promise<void>): (() => void) => {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    work()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false
      })
  }
}
