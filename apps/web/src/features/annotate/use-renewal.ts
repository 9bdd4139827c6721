import { useEffect } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { isGateway, whenReachable } from '#lib/net/reachable.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { List } from './lists.ts'
import { createOneAtATime } from './queue/counted-fetch.ts'

type Options = {
  readonly list: Pick<List, 'isAtHand' | 'renew'>
  /** Why the list could not be read; null where it could. */
  readonly problem: unknown
  readonly onRenewed: () => void
}

/** The server was away, or all that could be read was what is on this device. */
const isAway = (problem: unknown): boolean => problem instanceof ApiError && (problem.status === 0 || isGateway(problem.status))

/**
 * A list that was made of what this device has, or could not be read, is asked for anew once the server is there again.
 * @returns whether the list is this device's
 */
export const useRenewal = ({ list, problem, onRenewed }: Options): boolean => {
  // What was read is told by the list when it tells of its records.
  const isAtHand = list.isAtHand()
  const waits = isAtHand || isAway(problem)
  useEffect(() => {
    if (!waits) return
    const renew = createOneAtATime(async () => {
      await list.renew()
      onRenewed()
    })
    const stopWaiting = whenReachable(renew)
    // Whatever was sent has been there.
    const stopListening = outbox.onConfirmed(renew)
    return () => {
      stopWaiting()
      stopListening()
    }
  }, [waits, list, onRenewed])
  return isAtHand
}
