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
    /** Called when a count is requested. */
    begin: (): void => {
      wasStale = isStale
      isStale = false
    },
    /** Called when the request has failed. */
    fail: (): void => {
      isStale ||= wasStale
    },
  }
}
