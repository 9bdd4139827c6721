import type { QueueItem } from './item.ts'
import type { Tally } from './window.ts'
import { left, without } from './window.ts'

type Options = {
  /** The records that are known. */
  readonly known: () => readonly QueueItem[]
  /** Whether a record is in the list by what this browser knows of it, and by what the server last said. */
  readonly isIn: (item: QueueItem) => boolean
  readonly isCounted: (item: QueueItem) => boolean
}

const idOf = ({ record }: QueueItem): string => record.id

/** How many are in a list: as the server counted it, and by what has become of the known records since. */
export const createTally = ({ known, isIn, isCounted }: Options) => {
  let tally: Tally | null = null
  /** Answers that were on their way when the list was counted: whether they are in the count is not known. */
  let doubtful = new Set<string>()
  /** Records of this device's list that the server has not told of since: where they are in its list is not known, nor how they are answered there. */
  const kept = new Set<string>()
  return {
    isThere: (): boolean => tally !== null,
    left: (): number | null =>
      tally &&
      left(
        tally,
        known().map((item) => ({ id: idOf(item), isIn: isIn(item) })),
      ),
    count: (total: number): void => {
      tally = { total, counted: new Set(known().filter(isCounted).map(idOf)) }
      doubtful = new Set(
        known()
          .filter((item) => isIn(item) !== isCounted(item))
          .map(idOf),
      )
    },
    /** Records that the server has in the list, and that are known from now on. */
    countIn: (added: readonly QueueItem[]): void => {
      if (tally) tally = { ...tally, counted: new Set([...tally.counted, ...added.filter(isCounted).map(idOf)]) }
    },
    /** How many of the known records have a place in the server's list, and whether one has. */
    placed: (): number => known().filter((item) => isCounted(item) && !kept.has(idOf(item))).length,
    isPlaced: (id: string): boolean => !kept.has(id) && known().some((item) => idOf(item) === id),
    /** The server has told of a record. @returns whether it was known from this device alone */
    tell: (id: string): boolean => kept.delete(id),
    /** What is known so far came from this device. */
    doubt: (): void => {
      for (const item of known()) kept.add(idOf(item))
    },
    /** A record is gone. */
    drop: (id: string): void => {
      tally = tally && without(tally, id)
    },
    /** The server has an answer. @returns whether the list has to be counted anew for it */
    settle: (id: string): boolean => {
      const wasKept = kept.delete(id)
      return (doubtful.delete(id) && doubtful.size === 0) || wasKept
    },
  }
}
