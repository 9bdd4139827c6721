import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { OutboxLine, ServerAnswer } from '#lib/outbox/types.ts'
import type { ListItem } from '../queue/list-item.ts'

/** How the number of answers changes, for each status. */
export type Shift = Readonly<Record<RecordFilterStatus, number>>

/** `at` is monotonic time. */
type Move = { readonly at: number; readonly from: RecordFilterStatus; readonly to: RecordFilterStatus }
type Options = {
  readonly datasetId: string
  /** Unconfirmed changes, keyed by record ID. */
  readonly lines: () => ReadonlyMap<string, OutboxLine>
  readonly find: (recordId: string) => ListItem | null | undefined
}

const statusOf = (serverAnswer: ServerAnswer | null): RecordFilterStatus => serverAnswer?.status ?? 'pending'

/**
 * Computes how the server's counts of the user's answers differ from the state on this device. They differ because of unsent
 * answers and because of answers that were confirmed after the count. The server's counts are refreshed only after a delay, and
 * the displayed counts must not jump back in between.
 */
export const createAnswerShift = ({ datasetId, lines, find }: Options) => {
  const moves: Move[] = []
  let lastCount = { when: 0, at: Number.NEGATIVE_INFINITY }

  /**
   * Converts the time at which the counts were loaded to monotonic time. Converts each time only once, because the system clock
   * may be adjusted later.
   */
  const monotonicTimeOf = (when: number): number => {
    if (lastCount.when !== when) lastCount = { when, at: performance.now() - Math.max(0, Date.now() - when) }
    return lastCount.at
  }

  const unsentMoves = (): readonly Omit<Move, 'at'>[] =>
    [...lines().values()].flatMap((line) => {
      if (line.dataset_id !== datasetId) return []
      const serverAnswer = find(line.record_id)?.serverAnswer
      if (serverAnswer === undefined && line.base !== null) return []
      const last = line.entries.at(-1)?.change
      if (line.issue || !last) return []
      return { from: statusOf(serverAnswer ?? null), to: last.kind === 'save' ? last.status : 'pending' }
    })

  return {
    /**
     * Notes that the server has confirmed an answer.
     * @param before the record's state before the confirmation
     */
    confirmed: ({ serverAnswer }: ListItem, now: ServerAnswer | null): void => {
      moves.push({ at: performance.now(), from: statusOf(serverAnswer), to: statusOf(now) })
    },
    /** @param countedAt when the counts were loaded, in milliseconds since 1970 */
    since: (countedAt: number): Shift => {
      const shift = { pending: 0, draft: 0, submitted: 0, discarded: 0 }
      const place = monotonicTimeOf(countedAt)
      for (const { from, to } of [...moves.filter(({ at }) => at >= place), ...unsentMoves()]) {
        shift[from] -= 1
        shift[to] += 1
      }
      return shift
    },
  }
}
