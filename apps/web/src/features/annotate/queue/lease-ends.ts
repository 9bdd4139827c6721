/**
 * When the user's leases end, keyed by record ID, as far as this browser knows. Times are in the server's format, in which
 * alphabetical order is chronological order.
 */
const ends = new Map<string, string>()

/**
 * Stores when a lease ends, as reported by the server or another tab. Keeps the latest reported time, because another tab may
 * have renewed the lease.
 */
export const noteLeaseEnd = (recordId: string, until: string): void => {
  if (until > (ends.get(recordId) ?? '')) ends.set(recordId, until)
}

export const leaseEndOf = (recordId: string): string | undefined => ends.get(recordId)
