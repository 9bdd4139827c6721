import type { QueueItem } from './queue-item.ts'
import type { ServerCount } from './window.ts'
import { remainingCount, withoutRecord } from './window.ts'

type Options = {
  readonly known: () => readonly QueueItem[]
  /** Whether a record is in the list, according to this browser and to the server. */
  readonly isIn: (item: QueueItem) => boolean
  readonly isCounted: (item: QueueItem) => boolean
}

const idOf = ({ record }: QueueItem): string => record.id

/** The length of a list: the server's count, adjusted by changes of the known records since. */
export const createListCount = ({ known, isIn, isCounted }: Options) => {
  let tally: ServerCount | null = null
  /** Answers that were in flight when the list was counted. The count may or may not include them. */
  let uncertain = new Set<string>()
  /**
   * Records from this device that the server has not returned since. Neither their position in the server's list nor their
   * answer there is known.
   */
  const deviceOnly = new Set<string>()
  return {
    hasCount: (): boolean => tally !== null,
    left: (): number | null =>
      tally &&
      remainingCount(
        tally,
        known().map((item) => ({ id: idOf(item), isIn: isIn(item) })),
      ),
    count: (total: number): void => {
      tally = { total, counted: new Set(known().filter(isCounted).map(idOf)) }
      uncertain = new Set(
        known()
          .filter((item) => isIn(item) !== isCounted(item))
          .map(idOf),
      )
    },
    /** Adds newly known records that are in the server's list. */
    countIn: (added: readonly QueueItem[]): void => {
      if (tally) tally = { ...tally, counted: new Set([...tally.counted, ...added.filter(isCounted).map(idOf)]) }
    },
    /** The number of known records with a position in the server's list. */
    placed: (): number => known().filter((item) => isCounted(item) && !deviceOnly.has(idOf(item))).length,
    isPlaced: (id: string): boolean => !deviceOnly.has(id) && known().some((item) => idOf(item) === id),
    /** Called when the server has returned a record. @returns whether it was known only from this device */
    confirmFromServer: (id: string): boolean => deviceOnly.delete(id),
    /** Marks all known records as coming from this device. */
    markDeviceOnly: (): void => {
      for (const item of known()) deviceOnly.add(idOf(item))
    },
    /** Called when a record was deleted. */
    drop: (id: string): void => {
      tally = tally && withoutRecord(tally, id)
    },
    /** Called when the server has confirmed an answer. @returns whether the list has to be counted again */
    settle: (id: string): boolean => {
      const wasDeviceOnly = deviceOnly.delete(id)
      return (uncertain.delete(id) && uncertain.size === 0) || wasDeviceOnly
    },
  }
}
