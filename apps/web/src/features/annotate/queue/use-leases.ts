import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { useUser } from '#features/auth/public.ts'
import { beforeSignOut } from '#lib/sign-out-tasks.ts'
import { dropVisitedOfOthers, storeVisited } from '#lib/visited-records.ts'
import { recheckDataset, releaseOnClose, releaseRecords, renewRecords, skippedRecords } from '../api.ts'
import { maxLeasesPerRequest } from './lease-limit.ts'
import { startRenewal } from './lease-renewal.ts'
import type { LeasedList } from './leased-list.ts'
import { announceViewed, forgetViewed, onTabClosed } from './viewed-records.ts'

/** How often the list checks for new records after its end was reached, in milliseconds. */
const recheckInterval = 20_000

type Options = {
  readonly datasetId: string
  /** Null for a list whose records are not leased. */
  readonly list: LeasedList | null
  /** How long a lease lasts, in milliseconds, as the server last reported. */
  readonly lifetime: () => number
}

/**
 * Manages the leases of a list:
 * - While the page is open, renews the leases of records with edits or unsent answers.
 * - While the page is visible, also renews all other leases.
 * - When the user leaves the list, releases these other leases, unless another tab shows their records.
 * - When the page closes, releases these other leases after a few seconds, so that another tab can renew them first.
 * - Before sign-out, releases all leases.
 *
 * Also stores which records the user has seen.
 */
export const useLeases = ({ datasetId, list, lifetime }: Options): void => {
  const queryClient = useQueryClient()
  // Owners and admins look at records without leases.
  const { id: userId, role } = useUser()
  const keepsLost = role !== 'annotator'
  // This is a layout effect because the user may return to the queue quickly. The position must be stored before the queue
  // requests records again.
  useLayoutEffect(() => {
    if (!list) return
    list.activate()
    let stored = ''
    const storeVisitedRecords = (): void => {
      const { position, item } = list.snapshot()
      const shown = `${position} ${item?.record.id}`
      if (item === null || shown === stored) return
      stored = shown
      storeVisited(userId, datasetId, list.visited())
    }
    let announced = ''
    let isClosed = false
    const announce = (isStillVisible = false): void => {
      const ids = list.leasedIds()
      if (isClosed || (!isStillVisible && ids.join() === announced)) return
      announced = ids.join()
      announceViewed({ userId, datasetId, ids })
    }
    const noteChange = (): void => {
      storeVisitedRecords()
      announce()
    }
    noteChange()
    const stopNoting = list.subscribe(noteChange)
    const renewal = startRenewal({
      list,
      renewRecords: (ids, purpose) =>
        renewRecords(datasetId, ids, { purpose, acquire: true }).then(
          (lost) => {
            if (document.visibilityState === 'visible') announce(true)
            return lost
          },
          (error: unknown) => {
            recheckDataset(queryClient, datasetId, error)
            throw error
          },
        ),
      isVisible: () => document.visibilityState === 'visible',
      lifetime,
      keepsLost,
    })
    // When the list has reached its end, others may still release records.
    const recheckTimer = setInterval(() => {
      const { phase, item } = list.snapshot()
      if (phase === 'ready' && item === null && document.visibilityState === 'visible') void list.open()
    }, recheckInterval)
    const onVisibility = (): void => {
      announce(true)
      // Timers don't run while a device sleeps.
      if (document.visibilityState === 'visible') void renewal.renew(true)
    }
    document.addEventListener('visibilitychange', onVisibility)
    // When another tab closes, its leases end after a delay, even if this tab shows the same records. The closing tab can't keep
    // them, because this tab may be closing too. This tab therefore renews its leases.
    const stopListening = onTabClosed(() => void renewal.renew())
    // The page is closing. If the browser keeps it and shows it again, its records are leased again.
    const onPageHide = (): void => {
      // The page also becomes hidden after this event.
      isClosed = true
      forgetViewed()
      const ids = list.viewIds().slice(-maxLeasesPerRequest)
      if (ids.length > 0) void releaseOnClose(datasetId, ids).catch(() => undefined)
    }
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return
      isClosed = false
      announce(true)
      void renewal.renew(true)
    }
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('pageshow', onPageShow)
    let isSigningOut = false
    const cancelSignOutTask = beforeSignOut(async () => {
      isSigningOut = true
      stopNoting()
      dropVisitedOfOthers(null)
      forgetViewed()
      const ids = list.leasedIds().slice(-maxLeasesPerRequest)
      if (ids.length > 0) await releaseRecords(datasetId, ids, 'work')
    })
    return () => {
      renewal.stop()
      stopNoting()
      stopListening()
      cancelSignOutTask()
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('pageshow', onPageShow)
      clearInterval(recheckTimer)
      forgetViewed()
      const skipped = list.release()
      // The skipped records aren't kept on sign-out, because another user may sign in next.
      if (!isSigningOut) skippedRecords.keep(queryClient, datasetId, skipped ?? [])
    }
  }, [queryClient, datasetId, userId, list, lifetime, keepsLost])
}
