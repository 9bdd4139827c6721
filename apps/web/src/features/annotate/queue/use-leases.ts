import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { beforeSignOut } from '#lib/sign-out-tasks.ts'
import { maxLeasesPerRequest, releaseRecords, renewRecords, skippedRecords } from '../api.ts'
import type { LeasedList } from './leased-list.ts'

/** How often the end of the list checks for new records, in milliseconds. */
const recheckInterval = 20_000

type Options = {
  readonly datasetId: string
  /** Null for a list whose records are not leased. */
  readonly list: LeasedList | null
  /** How long a lease lasts, in milliseconds, as the server last reported. */
  readonly lifetime: () => number
}

/**
 * Renews the leases of edited records while the page is open, and of other records while the page is visible. Before sign-out,
 * releases all leases. When the page closes or the list is left, releases the leases of records without edits. Leaving the list
 * also stores the position in it.
 */
export const useLeases = ({ datasetId, list, lifetime }: Options): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!list) return
    list.activate()
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasLeft = false
    /**
     * Renews leases and returns the records that the user has no lease on now. If the request fails, returns none: answers are
     * still accepted.
     */
    const renewSome = async (ids: readonly string[], purpose: 'view' | 'work'): Promise<readonly string[]> =>
      ids.length === 0 ? [] : renewRecords(datasetId, ids.slice(-maxLeasesPerRequest), { purpose, acquire: true }).catch(() => [])
    const unedited = (): readonly string[] => {
      const edited = new Set(list.editedIds())
      return list.leasedIds().filter((id) => !edited.has(id))
    }
    const renew = async (isReturn = false): Promise<void> => {
      clearTimeout(timer)
      // Records without edits are reserved only while the user can see the page.
      const viewed = document.visibilityState === 'visible' ? unedited() : []
      const lost = (await Promise.all([renewSome(list.editedIds(), 'work'), renewSome(viewed, 'view')])).flat()
      // The list was left in the meantime: its leases are released and must not be replaced.
      if (hasLeft) return
      if (lost.length > 0) list.removeLost(lost, isReturn)
      clearTimeout(timer)
      timer = setTimeout(() => void renew(), lifetime() / 3)
    }
    timer = setTimeout(() => void renew(), lifetime() / 3)
    // At the end of the list, checks for records that others have released.
    const recheckTimer = setInterval(() => {
      const { phase, item } = list.snapshot()
      if (phase === 'ready' && item === null && document.visibilityState === 'visible') void list.open()
    }, recheckInterval)
    // Timers don't run while a device sleeps.
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void renew(true)
    }
    document.addEventListener('visibilitychange', onVisible)
    // The page is closing. If the browser keeps it and shows it again, its records are leased again.
    const onPageHide = (): void => {
      const ids = unedited().slice(-maxLeasesPerRequest)
      if (ids.length > 0) void releaseRecords(datasetId, ids).catch(() => undefined)
    }
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void renew(true)
    }
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('pageshow', onPageShow)
    let isSigningOut = false
    const cancelSignOutTask = beforeSignOut(async () => {
      isSigningOut = true
      const ids = list.leasedIds().slice(-maxLeasesPerRequest)
      if (ids.length > 0) await releaseRecords(datasetId, ids)
    })
    return () => {
      hasLeft = true
      cancelSignOutTask()
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('pageshow', onPageShow)
      clearTimeout(timer)
      clearInterval(recheckTimer)
      const skipped = list.release()
      // The next user may be someone else.
      if (!isSigningOut) skippedRecords.keep(queryClient, datasetId, skipped ?? [])
    }
  }, [queryClient, datasetId, list, lifetime])
}
