import type { Atom } from '../conditions/atoms.ts'
import type { Page } from '../order/select-page.ts'
import { FULLY_SHUFFLED, type Hit, keyOfScore, type QueueOrder, scoreOfKey } from '../order/user-order.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import { markDone, walkQueue } from './queue-walk.ts'

/**
 * Pages of the queue up to this offset are found by walking an index. For larger offsets, evaluating the conditions on all
 * records is faster.
 */
const MAX_SKIPPED = 500

/** Whether the conditions are exactly the queue's: pending records that the annotator hasn't answered. */
export const isQueue = (atoms: readonly Atom[]): boolean =>
  atoms.length === 2 &&
  atoms.some((atom) => atom.kind === 'status' && atom.statuses.length === 1 && atom.statuses[0] === 'pending') &&
  atoms.some((atom) => atom.kind === 'answers' && atom.statuses.length === 1 && atom.statuses[0] === 'pending')

/** Whether pages of the queue are found by walking an index. In a small dataset, all records are read instead. */
export const isWalked = (context: SearchContext): boolean => recordCount(context) > FULLY_SHUFFLED

/** Stores where the first page of a queue starts. Called if the page was found by a search instead of by walking the index. */
export const markFirst = (context: SearchContext, order: QueueOrder, [first]: readonly Hit[]): void => {
  if (typeof first?.score === 'number') markDone(context, order, keyOfScore(first.score))
}

/**
 * Returns a page of the queue by walking the index in the user's order, starting at the first bucket with remaining records.
 * The total comes from counters. Null if the walk would be long.
 */
export const queuePage = async (
  context: SearchContext,
  order: QueueOrder,
  { offset, limit }: Page,
): Promise<{ hits: readonly Hit[]; total: number } | null> => {
  if (!isWalked(context) || offset > MAX_SKIPPED || limit === 0) return null
  const walk = await walkQueue(context, order, { count: offset + limit })
  if (walk === null) return null
  const { found, total } = walk
  const hits = found.slice(offset, offset + limit).map(({ seq, key }) => ({ seq, score: scoreOfKey(key) }))
  return { hits, total }
}
