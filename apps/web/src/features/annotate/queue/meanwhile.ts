import type { StandingAnswer } from '#lib/outbox/types.ts'
import type { QueueItem } from './item.ts'

export type Meanwhile = ReturnType<typeof createMeanwhile>

/** Answers that the server took while records were on their way: the records may come as they were before. */
export const createMeanwhile = () => {
  const taken = new Map<string, StandingAnswer | null>()
  let isFirst = true
  return {
    note: (recordId: string, standing: StandingAnswer | null): void => {
      taken.set(recordId, standing)
    },
    /** Records are asked for from now on. The first ones may have been asked for before their list was there. */
    begin: (): void => {
      if (!isFirst) taken.clear()
      isFirst = false
    },
    /** A record that has come, with the answer that is known to stand. */
    over: (item: QueueItem): QueueItem => {
      const standing = taken.get(item.record.id)
      return standing === undefined ? item : { ...item, standing }
    },
  }
}
