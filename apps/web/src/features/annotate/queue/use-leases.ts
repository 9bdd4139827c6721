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
 * Renews leases while the page is open. Releases them before sign-out, and when the list is left, which also stores the
 * position in the list.
 */
export const useLeases = ({ datasetId, list, lifetime }: Options): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!list) return
    list.activate()
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasLeft = false
    const renew = async (): Promise<void> => {
      clearTimeout(timer)
      const ids = list.leasedIds().slice(-maxLeasesPerRequest)
      // Without a network nothing is renewed, but answers are still accepted.
      const lost = ids.length > 0 ? await renewRecords(datasetId, ids).catch(() => null) : null
      // The list was left in the meantime: its leases are released and must not be replaced.
      if (hasLeft) return
      if (lost !== null) list.removeLost(lost)
      clearTimeout(timer)
      timer = setTimeout(() => void renew(), lifetime() / 3)
    }
    timer = setTimeout(() => void renew(), lifetime() / 3)
    // At the end of the list, others may have released records.
    const recheckTimer = setInterval(() => {
      const { phase, item } = list.snapshot()
      if (phase === 'ready' && item === null && document.visibilityState === 'visible') void list.open()
    }, recheckInterval)
    // Timers don't run while a device sleeps.
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void renew()
    }
    document.addEventListener('visibilitychange', onVisible)
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
      clearTimeout(timer)
      clearInterval(recheckTimer)
      const skipped = list.release()
      // The next user may be someone else.
      if (!isSigningOut) skippedRecords.keep(queryClient, datasetId, skipped ?? [])
    }
  }, [queryClient, datasetId, list, lifetime])
}
