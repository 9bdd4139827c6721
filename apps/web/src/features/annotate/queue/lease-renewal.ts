import type { QueuePurpose } from '@postil/contract/queue.ts'
import { maxLeasesPerRequest } from './lease-limit.ts'
import type { LeasedList } from './leased-list.ts'

/** How long the server reserves a record that the user views but hasn't edited, in milliseconds. */
const viewLifetime = 90_000

type Options = {
  readonly list: LeasedList
  /**
   * Renews leases. A record whose lease has ended is leased again if possible. @returns the IDs of the records that the user now
   * has no lease on. Rejects if the browser is offline
   */
  readonly renewRecords: (recordIds: readonly string[], purpose: QueuePurpose) => Promise<readonly string[]>
  /** Whether the user can see the page. */
  readonly isVisible: () => boolean
  /** How long a lease lasts, in milliseconds, as the server last reported. */
  readonly lifetime: () => number
  /** Whether records without a lease are kept in the list, because the user is allowed to look at them anyway. */
  readonly keepsLost: boolean
}

/**
 * Keeps renewing a list's leases. Leases of records that the user is working on are always renewed. Other leases are renewed only
 * while the page is visible.
 */
export const startRenewal = ({ list, renewRecords, isVisible, lifetime, keepsLost }: Options) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  /** Returns null if the browser is offline. No lease is renewed in that case, but the user can continue to answer. */
  const renewSome = async (ids: readonly string[], purpose: QueuePurpose): Promise<readonly string[] | null> =>
    ids.length === 0 ? [] : renewRecords(ids, purpose).catch(() => null)
  const schedule = (): void => {
    clearTimeout(timer)
    // The server reserves a record that is only shown for `viewLifetime`. `lifetime` can be longer, for example before the first
    // response. The timer therefore uses the shorter of the two.
    timer = setTimeout(() => void renew(), Math.min(lifetime(), viewLifetime) / 3)
  }
  const renew = async (isReturn = false): Promise<void> => {
    clearTimeout(timer)
    const worked = list.workIds().slice(-maxLeasesPerRequest)
    const viewed = isVisible() ? list.viewIds().slice(-maxLeasesPerRequest) : []
    const [lostWorked, lostViewed] = await Promise.all([renewSome(worked, 'work'), renewSome(viewed, 'view')])
    // The user has left the list in the meantime, so the list's leases are released. The list must not lease other records
    // instead.
    if (isStopped) return
    if (lostWorked !== null) list.noteLeased(worked.filter((id) => !lostWorked.includes(id)))
    list.removeLost([...(lostWorked ?? []), ...(lostViewed ?? [])], { withCurrent: isReturn, keepsItems: keepsLost })
    schedule()
  }
  schedule()
  return {
    /** Renews now. @param isReturn whether the user returns to the page, so that the record on the screen may be replaced */
    renew,
    stop: (): void => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
