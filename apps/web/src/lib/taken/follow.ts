import { whenIdle } from '#lib/net/connection.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/**
 * Answered records leave the device. Answers may be confirmed before the page is idle: their records are remembered until the code of
 * the store may come.
 * @returns what ends it
 */
export const followUser = (userId: string): (() => void) => {
  const confirmed: string[] = []
  let mayDrop = false
  const drop = async (): Promise<void> => {
    mayDrop = false
    try {
      const { dropRecords } = await import('./store.ts')
      // The answers that were sent together are confirmed one after the other: their records leave together.
      while (confirmed.length > 0) await dropRecords(userId, confirmed.splice(0))
    } finally {
      mayDrop = true
    }
  }
  whenIdle(drop)
  return outbox.onConfirmed(({ recordId }) => {
    confirmed.push(recordId)
    if (mayDrop) void drop().catch(() => undefined)
  })
}
