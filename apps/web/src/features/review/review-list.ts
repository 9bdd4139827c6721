import type { ReviewQueueResult } from '@postil/contract/review.ts'
import { maxExcludedRecords } from '@postil/contract/wire/limits.ts'

export type ReviewListSnapshot = {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly problem: unknown
  /** The next records. */
  readonly upcoming: readonly string[]
  /**
   * How many records are waiting for review, including the ones that the reviewer has skipped. Null until the server has
   * responded.
   */
  readonly left: number | null
  /** Whether more records are waiting than `left` says. */
  readonly more: boolean
  /** How many records the reviewer has skipped. */
  readonly skipped: number
}

type Options = {
  readonly take: (request: { readonly limit: number; readonly exclude: readonly string[] }) => Promise<ReviewQueueResult>
  /** Whether the final answers of a record are still being sent. */
  readonly isUnsent: (recordId: string) => boolean
}

/** How many upcoming records are reserved. */
const recordsAhead = 3

export type ReviewList = ReturnType<typeof createReviewList>

/** The records that a reviewer works through: those already seen, in order, and the next ones from the queue. */
export const createReviewList = ({ take, isUnsent }: Options) => {
  let seen: readonly string[] = []
  let upcoming: readonly string[] = []
  let phase: ReviewListSnapshot['phase'] = 'loading'
  let problem: unknown = null
  let left: number | null = null
  let more = false
  /** Records that came from the queue. All other records were opened through their address. */
  const queued = new Set<string>()
  const done = new Set<string>()
  const listeners = new Set<() => void>()
  let loading: Promise<void> | null = null
  let isAgain = false

  /**
   * The records from the queue that the reviewer has seen but not reviewed. Requests exclude these records, so the server doesn't
   * count them.
   */
  const skippedIds = (): readonly string[] => seen.filter((id) => queued.has(id) && !done.has(id))
  const read = (): ReviewListSnapshot => ({
    phase,
    problem,
    upcoming,
    left: left === null ? null : left + skippedIds().length,
    more,
    skipped: skippedIds().length,
  })
  let snapshot = read()
  const notify = (): void => {
    snapshot = read()
    for (const listener of listeners) listener()
  }

  const load = async (): Promise<void> => {
    const doneBefore = new Set(done)
    const excluded = seen.filter((id) => isUnsent(id) || (queued.has(id) && !done.has(id)))
    // The response may contain a record that the user has already opened through its address. One more record is therefore
    // requested.
    const limit = recordsAhead + (seen.some((id) => !queued.has(id) && !done.has(id)) ? 1 : 0)
    try {
      const result = await take({ limit, exclude: excluded.slice(-maxExcludedRecords) })
      const ids = result.items.map(({ record_id }) => record_id)
      // The response may contain a record that the user has already reviewed, because its answers have changed. It is shown
      // again.
      const fresh = ids.filter((id) => !seen.includes(id) || doneBefore.has(id))
      for (const id of ids) queued.add(id)
      for (const id of fresh) if (done.delete(id)) seen = seen.filter((one) => one !== id)
      // Records that were already shown don't belong to `left`. The response may contain some, so they are subtracted.
      left = result.left - (ids.length - fresh.length)
      upcoming = fresh
      more = result.more
      // If the request is repeated, the list isn't ready until the repeated request has finished.
      if (!isAgain) phase = 'ready'
      problem = null
    } catch (error) {
      problem = error
      // If the server can't be reached, the user can still review the records that are already loaded.
      if (upcoming.length === 0) phase = 'failed'
    }
  }

  /**
   * Loads the next records. If a request is already running, it is repeated when it ends, because the list has changed since it
   * was sent.
   * @param isQuiet whether an empty list is still shown as empty during the request, instead of as loading
   */
  const refill = (isQuiet = false): Promise<void> => {
    if (!isQuiet && upcoming.length === 0 && phase !== 'loading') {
      phase = 'loading'
      notify()
    }
    isAgain = loading !== null
    loading ??= (async () => {
      do {
        isAgain = false
        await load()
      } while (isAgain)
      loading = null
      notify()
    })()
    return loading
  }

  return {
    snapshot: (): ReviewListSnapshot => snapshot,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refill,
    /** Notes that a record is shown. */
    show: (id: string): void => {
      const wasNext = upcoming.includes(id)
      if (seen.includes(id) && !wasNext) return
      if (wasNext && left !== null) left -= 1
      upcoming = upcoming.filter((one) => one !== id)
      if (!seen.includes(id)) seen = [...seen, id]
      notify()
      if (upcoming.length === 0) void refill()
    },
    /** Returns the record that follows a record, or null if none is known. */
    after: (id: string | null): string | null => {
      const at = id === null ? -1 : seen.indexOf(id)
      return (at >= 0 ? seen[at + 1] : undefined) ?? upcoming[0] ?? null
    },
    /**
     * Returns the ID of the record that was shown before the given record. If `id` is null, returns the ID of the last record
     * that was shown.
     */
    before: (id: string | null): string | null => {
      const at = id === null ? seen.length : seen.indexOf(id)
      return seen[at - 1] ?? null
    },
    /** Notes that the review of a record is finished. */
    finish: (id: string): void => {
      done.add(id)
      notify()
    },
    /** Forgets which records were skipped, so that the queue returns them again. */
    restart: (): Promise<void> => {
      seen = seen.filter((id) => done.has(id))
      phase = 'loading'
      notify()
      return refill()
    },
    /** The records that the server reserves for the reviewer. */
    reservedIds: (): readonly string[] => [...upcoming, ...skippedIds()],
  }
}
