import type { Gold } from '@postil/contract/gold.ts'
import type { GoldInput } from '@postil/contract/review.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { backoff } from '#lib/outbox/backoff.ts'
import { newMutationId } from '#lib/outbox/mutation-id.ts'
import { areStored, type SentValues } from './decisions.ts'

/** Final answers to store. */
export type GoldChange = {
  readonly recordId: string
  /** The title by which the reviewer recognizes the record. */
  readonly title: string
  readonly values: SentValues
  /** The version of the final answers that the reviewer has seen. Null if there were none. */
  readonly base: number | null
}

/** Final answers that the server hasn't confirmed yet, as plain JSON. */
export type UnsentGold = GoldChange & {
  readonly mutationId: string
  /** Newer values, which are sent after these. Null if there are none. */
  readonly next: SentValues | null
  readonly state:
    | { readonly kind: 'sending' }
    /** The server can't be reached or is busy. The request is repeated. */
    | { readonly kind: 'waiting' }
    /** Someone else has changed the final answers. Null if they were deleted. */
    | { readonly kind: 'conflict'; readonly current: Gold | null }
    | { readonly kind: 'rejected'; readonly problem: unknown }
}

type Line = UnsentGold & { readonly failures: number }

type Put = (recordId: string, body: GoldInput) => Promise<Gold>
type Options = {
  readonly put: Put
  readonly onConfirmed: (gold: Gold) => void
  readonly onConflict: (recordId: string) => void
  /** Called if a request fails after the sender was stopped. The request isn't repeated. */
  readonly onLost: (change: GoldChange, problem: unknown) => void
  readonly random?: () => number
}

export type GoldSender = ReturnType<typeof createGoldSender>

/**
 * If an error reports a version conflict, returns the current final answers; null if they were deleted. Otherwise returns
 * undefined.
 */
const currentIn = (error: ApiError): Gold | null | undefined =>
  error.status === 409 && typeof error.body === 'object' && error.body !== null && 'gold' in error.body
    ? (error.body.gold as Gold | null)
    : undefined

/**
 * Sends final answers in the background. Repeats a request until the server responds, always with the same mutation ID, so that
 * it takes effect only once. Final answers that the server refuses are kept until the reviewer decides about them.
 */
export const createGoldSender = ({ put, onConfirmed, onConflict, onLost, random = Math.random }: Options) => {
  const lines = new Map<string, Line>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** The mutation IDs of the requests in progress. */
  const inProgress = new Set<string>()
  const listeners = new Set<() => void>()
  let snapshot: readonly UnsentGold[] = []
  let isStopped = false

  const notify = (): void => {
    snapshot = [...lines.values()]
    for (const listener of listeners) listener()
  }
  const set = (line: Line): void => {
    lines.set(line.recordId, line)
    notify()
  }
  const remove = (recordId: string): void => {
    clearTimeout(timers.get(recordId))
    timers.delete(recordId)
    if (lines.delete(recordId)) notify()
  }

  const confirm = (line: Line, gold: Gold): void => {
    const { recordId, next } = lines.get(line.recordId) ?? line
    if (next === null) remove(recordId)
    else start({ ...line, values: next, base: gold.version })
    onConfirmed(gold)
  }

  const fail = (line: Line, error: unknown): void => {
    // A request that timed out has no status. It may have been processed.
    const failure = error instanceof ApiError ? error : new ApiError(0, undefined)
    const values = line.next ?? line.values
    const current = currentIn(failure)
    if (failure.isOutside) {
      // The user is no longer signed in, so the sign-in page replaces this page. Unsent final answers are restored after the
      // sign-in.
      set({ ...line, state: { kind: 'waiting' } })
    } else if (failure.isTransient || failure.status === 408) {
      wait(line, failure.retryAfter)
    } else if (current === undefined) {
      // The server may accept the newer final answers, although it refused these.
      if (line.next !== null) start({ ...line, values: line.next })
      else set({ ...line, state: { kind: 'rejected', problem: failure } })
    } else if (current !== null && areStored(values, current)) {
      remove(line.recordId)
      onConfirmed(current)
    } else {
      set({ ...line, values, next: null, state: { kind: 'conflict', current } })
      onConflict(line.recordId)
    }
  }

  const wait = (line: Line, retryAfter: number | null): void => {
    const failures = line.failures + 1
    set({ ...line, failures, state: { kind: 'waiting' } })
    const delay = retryAfter === null ? backoff(failures, random) : retryAfter * 1000
    timers.set(
      line.recordId,
      setTimeout(() => retry(line.recordId), delay),
    )
  }

  const transmit = async (line: Line): Promise<void> => {
    const { recordId, mutationId, base, values } = line
    const isCurrent = (): boolean => !isStopped && lines.get(recordId)?.mutationId === mutationId
    inProgress.add(mutationId)
    try {
      const gold = await put(recordId, { mutation_id: mutationId, base_version: base, values, final: true })
      inProgress.delete(mutationId)
      if (isCurrent()) confirm(lines.get(recordId) ?? line, gold)
    } catch (error) {
      inProgress.delete(mutationId)
      if (isStopped) onLost(line, error)
      else if (isCurrent()) fail(lines.get(recordId) ?? line, error)
    }
  }

  const start = (change: GoldChange): void => {
    const { recordId, title, values, base } = change
    clearTimeout(timers.get(recordId))
    const line: Line = {
      recordId,
      title,
      values,
      base,
      mutationId: newMutationId(),
      state: { kind: 'sending' },
      failures: 0,
      next: null,
    }
    set(line)
    void transmit(line)
  }

  /** Repeats the request for a record at once. */
  const retry = (recordId: string): void => {
    clearTimeout(timers.get(recordId))
    const line = lines.get(recordId)
    if (isStopped || line === undefined || inProgress.has(line.mutationId) || line.state.kind === 'conflict') return
    // Final answers with the state `waiting` keep this state until the server has stored them.
    const sent: Line = line.state.kind === 'waiting' ? line : { ...line, state: { kind: 'sending' } }
    set(sent)
    void transmit(sent)
  }

  return {
    snapshot: (): readonly UnsentGold[] => snapshot,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Stores final answers. If earlier final answers of the record are still being sent, the new ones are sent after them. */
    send: (change: GoldChange): void => {
      const line = lines.get(change.recordId)
      const isUnderWay = line?.state.kind === 'sending' || line?.state.kind === 'waiting'
      if (line && isUnderWay) set({ ...line, next: change.values })
      else start(change)
    },
    /** Sends final answers that were unsent when an earlier page was closed. Reuses their mutation IDs. */
    restore: (unsent: readonly UnsentGold[]): void => {
      for (const one of unsent) {
        lines.set(one.recordId, { ...one, state: { kind: 'waiting' }, failures: 0 })
        retry(one.recordId)
      }
    },
    /** Returns the newest unsent final answers of a record. */
    latestOf: (recordId: string): SentValues | null => {
      const line = lines.get(recordId)
      return line ? (line.next ?? line.values) : null
    },
    retry,
    retryAll: (): void => {
      for (const { recordId, state } of [...lines.values()]) if (state.kind === 'waiting') retry(recordId)
    },
    /** Discards the unsent final answers of a record. */
    drop: remove,
    stop: (): void => {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
