import { whenIdle } from '#lib/net/connection.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/**
 * Removes records from the device once their answers are confirmed. The store's code is loaded only when the browser is idle.
 * Until then, the IDs of such records are collected in memory.
 * @returns a function that stops the removal
 */
export const dropConfirmedRecords = (userId: string): (() => void) => {
  const confirmed: string[] = []
  let canDrop = false
  const drop = async (): Promise<void> => {
    canDrop = false
    try {
      const { dropRecords } = await import('./store.ts')
      // Answers that were sent together are confirmed one by one. Their records are removed together.
      while (confirmed.length > 0) await dropRecords(userId, confirmed.splice(0))
    } finally {
      canDrop = true
    }
  }
  whenIdle(drop)
  return outbox.onConfirmed(({ recordId }) => {
    confirmed.push(recordId)
    if (canDrop) void drop().catch(() => undefined)
  })
}
