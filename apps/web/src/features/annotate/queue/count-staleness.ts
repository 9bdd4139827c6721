/**
 * Tracks whether a count of records may be stale: an answer to an unknown record was confirmed, and no later request has
 * finished.
 */
export const createCountStaleness = () => {
  let isStale = false
  let wasStale = false
  return {
    isStale: (): boolean => isStale,
    markStale: (): void => {
      isStale = true
    },
    /** A count is requested. */
    begin: (): void => {
      wasStale = isStale
      isStale = false
    },
    /** The request failed. */
    fail: (): void => {
      isStale ||= wasStale
    },
  }
}
