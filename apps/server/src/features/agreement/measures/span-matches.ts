import type { Span } from '@postil/contract/answer-value.ts'
import { exactMatches } from '#question-types/similarity.ts'

/** Whether the intersection of two spans has at least half as many code points as their union. */
const overlapsEnough = (a: Span, b: Span): boolean => {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared > 0 && 2 * shared >= a.end - a.start + (b.end - b.start) - shared
}

/** Finds, for each span of `a`, the spans of `b` that it may be matched with. */
const candidatesOf = (a: readonly Span[], b: readonly Span[], sameLabel: boolean): number[][] => {
  const order = b.map((_, j) => j).sort((i, j) => b[i]!.start - b[j]!.start)
  return a.map((span) => {
    // A span of `b` that starts before this position is outside `span` for more than the length of `span`. The intersection is
    // therefore less than half of the union.
    const earliest = span.start - (span.end - span.start)
    let [low, high] = [0, order.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (b[order[middle]!]!.start < earliest) low = middle + 1
      else high = middle
    }
    const found: number[] = []
    for (; low < order.length && b[order[low]!]!.start < span.end; low += 1) {
      const other = b[order[low]!]!
      if ((!sameLabel || other.label === span.label) && overlapsEnough(span, other)) found.push(order[low]!)
    }
    return found
  })
}

/**
 * Matches one more span along the shortest augmenting path, that is, the shortest chain of spans that can change partners.
 * @param partnerOf the matched span of `a` for each span of `b`, or −1
 * @returns whether there is such a path
 */
const augment = (start: number, candidates: readonly (readonly number[])[], partnerOf: Int32Array): boolean => {
  const reachedFrom = new Map<number, number>()
  const previous = new Map<number, number>()
  const reassign = (last: number): void => {
    for (let end: number | undefined = last; end !== undefined; ) {
      const owner: number = reachedFrom.get(end)!
      partnerOf[end] = owner
      end = previous.get(owner)
    }
  }
  const queue = [start]
  for (let head = 0; head < queue.length; head += 1) {
    for (const to of candidates[queue[head]!]!) {
      if (reachedFrom.has(to)) continue
      reachedFrom.set(to, queue[head]!)
      const partner = partnerOf[to]!
      if (partner === -1) {
        reassign(to)
        return true
      }
      previous.set(partner, to)
      queue.push(partner)
    }
  }
  return false
}

/** The largest number of pairs if each span is in at most one pair. `candidates`: the possible partners of each span. */
const largestMatching = (candidates: readonly (readonly number[])[], size: number): number => {
  const partnerOf = new Int32Array(size).fill(-1)
  return candidates.filter((_, start) => augment(start, candidates, partnerOf)).length
}

/** Matches between two answers. */
type SpanMatches = {
  /** Total number of spans in both answers. */
  readonly spans: number
  /** Same label and same offsets. */
  readonly exact: number
  /**
   * Number of matches with the same label and an intersection over union of at least 0.5. Each span is matched at most once. As
   * many spans as possible are matched.
   */
  readonly overlapping: number
  /** Like `overlapping`, but with any label. */
  readonly unlabeled: number
}

export const matchSpans = (a: readonly Span[], b: readonly Span[]): SpanMatches => ({
  spans: a.length + b.length,
  exact: exactMatches(a, b),
  overlapping: largestMatching(candidatesOf(a, b, true), b.length),
  unlabeled: largestMatching(candidatesOf(a, b, false), b.length),
})
