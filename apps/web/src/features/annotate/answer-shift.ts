import type { Line, StandingAnswer } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import type { QueueItem } from './queue/item.ts'

/** By how much there are more, or fewer, answers of each status. */
export type Shift = Readonly<Record<RecordFilterStatus, number>>

/** `at` by the clock that nobody sets. */
type Move = { readonly at: number; readonly from: RecordFilterStatus; readonly to: RecordFilterStatus }
type Options = {
  readonly datasetId: string
  /** What is not confirmed, by record id. */
  readonly lines: () => ReadonlyMap<string, Line>
  readonly find: (recordId: string) => QueueItem | null | undefined
}

const statusOf = (standing: StandingAnswer | null): RecordFilterStatus => standing?.status ?? 'pending'

/**
 * How the server's counts of one's own answers differ from what was done here: by what is not sent yet, and by what was confirmed after they were
 * counted. They are counted again only after a pause, and meanwhile must not go back to what they were.
 */
export const createAnswerShift = ({ datasetId, lines, find }: Options) => {
  const moves: Move[] = []
  let counted = { when: 0, at: Number.NEGATIVE_INFINITY }

  /** Counts that have just come tell when by the computer's clock, which may be put back or forward later. */
  const placeOf = (when: number): number => {
    if (counted.when !== when) counted = { when, at: performance.now() - Math.max(0, Date.now() - when) }
    return counted.at
  }

  const unsent = (): readonly Omit<Move, 'at'>[] =>
    [...lines().values()].flatMap((line) => {
      if (line.dataset_id !== datasetId) return []
      const standing = find(line.record_id)?.standing
      if (standing === undefined && line.base !== null) return []
      const last = line.entries.at(-1)?.change
      if (line.trouble || !last) return []
      return { from: statusOf(standing ?? null), to: last.kind === 'save' ? last.status : 'pending' }
    })

  return {
    /** Notes that the server has taken an answer. @param before the record as it was known until then */
    confirmed: ({ standing }: QueueItem, now: StandingAnswer | null): void => {
      moves.push({ at: performance.now(), from: statusOf(standing), to: statusOf(now) })
    },
    /** @param countedAt when the counts came, in milliseconds since 1970 */
    since: (countedAt: number): Shift => {
      const shift = { pending: 0, draft: 0, submitted: 0, discarded: 0 }
      const place = placeOf(countedAt)
      for (const { from, to } of [...moves.filter(({ at }) => at >= place), ...unsent()]) {
        shift[from] -= 1
        shift[to] += 1
      }
      return shift
    },
  }
}
