/** The ends of the user's leases, by record ID, as known to this browser. Printed times of the server, which sort as text. */
const ends = new Map<string, string>()

/** Called when the server or another tab has reported the end of a lease. Another tab may have renewed the lease later. */
export const noteLeaseEnd = (recordId: string, until: string): void => {
  if (until > (ends.get(recordId) ?? '')) ends.set(recordId, until)
}

export const leaseEndOf = (recordId: string): string | undefined => ends.get(recordId)
