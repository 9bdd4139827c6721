import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { useUser } from '#features/auth/public.ts'
import { beforeSignOut } from '#lib/sign-out-tasks.ts'
import { releaseRecords, renewRecords, skippedRecords } from '../api.ts'
import { maxLeasesPerRequest } from './lease-limit.ts'
import { startRenewal } from './lease-renewal.ts'
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
 * Renews leases: those of records with edits or unsent answers while the page is open, the others while it is visible. Releases
 * the others when the page closes and when the list is left, which also stores the position in the list. Releases all before
 * sign-out.
 */
export const useLeases = ({ datasetId, list, lifetime }: Options): void => {
  const queryClient = useQueryClient()
  // Owners and admins look at records without leases.
  const keepsLost = useUser().role !== 'annotator'
  // A layout effect, because the position must be stored before a quick return to the queue requests records.
  useLayoutEffect(() => {
    if (!list) return
    list.activate()
    const renewal = startRenewal({
      list,
      renewRecords: (ids, purpose) => renewRecords(datasetId, ids, { purpose, acquire: true }),
      isVisible: () => document.visibilityState === 'visible',
      lifetime,
      keepsLost,
    })
    // At the end of the list, others may have released records.
    const recheckTimer = setInterval(() => {
      const { phase, item } = list.snapshot()
      if (phase === 'ready' && item === null && document.visibilityState === 'visible') void list.open()
    }, recheckInterval)
    // Timers don't run while a device sleeps.
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void renewal.renew(true)
    }
    document.addEventListener('visibilitychange', onVisible)
    // The page is closing. If the browser keeps it and shows it again, its records are leased again.
    const onPageHide = (): void => {
      const ids = list.viewIds().slice(-maxLeasesPerRequest)
      if (ids.length > 0) void releaseRecords(datasetId, ids, 'view').catch(() => undefined)
    }
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void renewal.renew(true)
    }
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('pageshow', onPageShow)
    let isSigningOut = false
    const cancelSignOutTask = beforeSignOut(async () => {
      isSigningOut = true
      const ids = list.leasedIds().slice(-maxLeasesPerRequest)
      if (ids.length > 0) await releaseRecords(datasetId, ids, 'work')
    })
    return () => {
      renewal.stop()
      cancelSignOutTask()
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('pageshow', onPageShow)
      clearInterval(recheckTimer)
      const skipped = list.release()
      // Not kept on sign-out, because another user may sign in next.
      if (!isSigningOut) skippedRecords.keep(queryClient, datasetId, skipped ?? [])
    }
  }, [queryClient, datasetId, list, lifetime, keepsLost])
}
