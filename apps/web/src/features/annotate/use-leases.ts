import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { beforeSignOut } from '#lib/leaving.ts'
import { giveBackRecords, mostLeases, passedOver, renewRecords } from './api.ts'
import type { LeasedQueue } from './queue/leased-queue.ts'

/** How often somebody who has nothing to do looks whether there is something again, in milliseconds. */
const lookAgain = 20_000

type Options = {
  readonly datasetId: string
  /** null for a list whose records are not handed out. */
  readonly queue: LeasedQueue | null
  /** How long records are kept, in milliseconds, as the server last said. */
  readonly lifetime: () => number
}

/** Keeps records in hand while the page is open; gives them back when the list is left, where one finds the place again, and before a sign-out. */
export const useLeases = ({ datasetId, queue, lifetime }: Options): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!queue) return
    queue.keep()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    const renew = async (): Promise<void> => {
      clearTimeout(timer)
      const ids = queue.inHand().slice(-mostLeases)
      // Without the network nothing is renewed, and answers are taken all the same.
      const lost = ids.length > 0 ? await renewRecords(datasetId, ids).catch(() => null) : null
      // A list that was left meanwhile has given back what it had, and wants nothing in its place.
      if (isLeft) return
      if (lost !== null) queue.lose(lost)
      clearTimeout(timer)
      timer = setTimeout(() => void renew(), lifetime() / 3)
    }
    timer = setTimeout(() => void renew(), lifetime() / 3)
    // At the end of the list: others may have given something back.
    const looking = setInterval(() => {
      const { phase, item } = queue.snapshot()
      if (phase === 'ready' && item === null && document.visibilityState === 'visible') void queue.open()
    }, lookAgain)
    // A device that slept has missed its turns.
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void renew()
    }
    document.addEventListener('visibilitychange', onVisible)
    let isSigningOut = false
    const stay = beforeSignOut(async () => {
      isSigningOut = true
      const ids = queue.inHand().slice(-mostLeases)
      if (ids.length > 0) await giveBackRecords(datasetId, ids)
    })
    return () => {
      isLeft = true
      stay()
      document.removeEventListener('visibilitychange', onVisible)
      clearTimeout(timer)
      clearInterval(looking)
      const passed = queue.release()
      // Who comes next may be somebody else.
      if (!isSigningOut) passedOver.keep(queryClient, datasetId, passed ?? [])
    }
  }, [queryClient, datasetId, queue, lifetime])
}
