import type { Atom } from '../conditions/atoms.ts'
import type { Page } from '../order/select-page.ts'
import { bucketRankOf, FULLY_SHUFFLED, type Hit, keyOfScore, scoreOfKey } from '../order/user-order.ts'
import { type Reach, recordsIn } from '../reach.ts'
import { markDone, walkQueue } from './queue-walk.ts'

/** Beyond this many records to step over, the sets of all records are the faster way. */
const MOST_SKIPPED = 500

/** What annotators ask for all day: pending records that they have not answered, and nothing else. */
export const isQueue = (atoms: readonly Atom[]): boolean =>
  atoms.length === 2 &&
  atoms.some((atom) => atom.kind === 'status' && atom.statuses.length === 1 && atom.statuses[0] === 'pending') &&
  atoms.some((atom) => atom.kind === 'answers' && atom.statuses.length === 1 && atom.statuses[0] === 'pending')

/** Remembers where the first page of a queue begins that was found in another way. */
export const markFirst = (reach: Reach, userId: string, [first]: readonly Hit[]): void => {
  if (typeof first?.score === 'number') markDone(reach, userId, bucketRankOf(keyOfScore(first.score)))
}

/**
 * A page of the queue by walking the index in the user's order from where work is left, its total from counters; null when
 * that would walk far.
 */
export const queuePage = async (
  reach: Reach,
  userId: string,
  { offset, limit }: Page,
): Promise<{ hits: readonly Hit[]; total: number } | null> => {
  if (recordsIn(reach) <= FULLY_SHUFFLED || offset > MOST_SKIPPED || limit === 0) return null
  const walked = await walkQueue(reach, userId, { count: offset + limit })
  if (walked === null) return null
  const { found, total } = walked
  const hits = found.slice(offset, offset + limit).map(({ seq, key }) => ({ seq, score: scoreOfKey(key) }))
  return { hits, total }
}
