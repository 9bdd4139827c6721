import type { ServerAnswer } from '#lib/outbox/types.ts'
import type { QueueItem } from './queue-item.ts'

export type ConfirmedWhileLoading = ReturnType<typeof createConfirmedWhileLoading>

/** Tracks answers that the server confirms while records are loading, because the loaded records may predate them. */
export const createConfirmedWhileLoading = () => {
  const confirmed = new Map<string, ServerAnswer | null>()
  let isFirst = true
  return {
    note: (recordId: string, serverAnswer: ServerAnswer | null): void => {
      confirmed.set(recordId, serverAnswer)
    },
    /** Called when records are requested. The first records may have been requested before this list existed. */
    begin: (): void => {
      if (!isFirst) confirmed.clear()
      isFirst = false
    },
    /** Returns a loaded record with its latest known answer. */
    apply: (item: QueueItem): QueueItem => {
      const serverAnswer = confirmed.get(item.record.id)
      return serverAnswer === undefined ? item : { ...item, serverAnswer }
    },
  }
}
