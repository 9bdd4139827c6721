import { useEffect } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { isGateway, whenReachable } from '#lib/net/reachable.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationList } from './annotation-lists.ts'
import { createSingleFlight } from './counted-fetch.ts'

type Options = {
  readonly list: Pick<AnnotationList, 'isFromDevice' | 'renew'>
  /** The error of the last attempt to read the list, or null. */
  readonly problem: unknown
  readonly onRenewed: () => void
}

/** Whether the server was unreachable. */
const isServerAway = (problem: unknown): boolean =>
  problem instanceof ApiError && (problem.status === 0 || isGateway(problem.status))

/**
 * If a list was loaded from this device, or couldn't be loaded because the server was unreachable, reloads the list when the
 * server is reachable again.
 * @returns whether the list comes from this device
 */
export const useRenewal = ({ list, problem, onRenewed }: Options): boolean => {
  // The list publishes this together with its records.
  const isFromDevice = list.isFromDevice()
  const needsRenewal = isFromDevice || isServerAway(problem)
  useEffect(() => {
    if (!needsRenewal) return
    const renew = createSingleFlight(async () => {
      await list.renew()
      onRenewed()
    })
    const stopWaiting = whenReachable(renew)
    // A confirmed answer shows that the server is reachable.
    const stopListening = outbox.onConfirmed(renew)
    return () => {
      stopWaiting()
      stopListening()
    }
  }, [needsRenewal, list, onRenewed])
  return isFromDevice
}
