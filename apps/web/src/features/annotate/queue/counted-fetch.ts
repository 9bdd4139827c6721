import type { FetchPage, RecordPage } from './list-item.ts'

const maxRecounts = 5

/**
 * Fetches pages of a list with the list's total. If the server confirms answers while a page is being fetched, fetches the total
 * again, because it is unknown whether the total already takes these answers into account.
 * @param confirmations how many answers the server has confirmed so far
 */
export const createCountedFetch = (fetchPage: FetchPage, confirmations: () => number): FetchPage => {
  // The first page may have been requested before this list existed. The server may have confirmed answers since then, so `seen`
  // starts at 0.
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
 * Returns a function that starts the work unless the work is already running. Failures are ignored, because callers start the
 * work again later or no longer need it.
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
