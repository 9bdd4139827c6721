import { LRUCache } from 'lru-cache'
import { forEachPair, pairList } from '#platform/db/keys/pair-list.ts'
import { CacheMiss } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import type { SeqSet } from '../seq-set.ts'
import { type Page, pageBy } from './select-page.ts'

/** Maximum number of records for which each annotator's order is independent of every other annotator's. */
export const FULLY_SHUFFLED = 1000
/**
 * If a search has at most this many results, only the `shuffle` values of these results are read. If it has more, the values of
 * the entire dataset are read and cached.
 */
const MAX_LISTED = 300
const BUCKETS = 256
const ORDER_KEYS = 2 ** 32

/** Computes a pseudo-random 32-bit number from a string (FNV-1a) and a number, mixed as in the last step of MurmurHash3. */
export const hash = (text: string, number: number): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h ^= Math.imul(number, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The user whose order is needed, and whether each user has an individual order. */
export type QueueOrder = { readonly userId: string; readonly shuffled: boolean }

/**
 * Whether each annotator gets the records in an individual order. By default, everyone gets them in insertion order. Settings
 * that an earlier version saved lack `shuffled`. If such settings have no order, each annotator has an individual order.
 */
export const isShuffled = ({ queue }: { readonly queue: { readonly [key: string]: unknown } | null }): boolean =>
  queue !== null && (queue['shuffled'] ?? true) === true

export const placeColumn = ({ shuffled }: Pick<QueueOrder, 'shuffled'>): 'shuffle' | 'seq' => (shuffled ? 'shuffle' : 'seq')

type UserOrder = {
  /** The buckets (top 8 bits of `shuffle`) in the user's order. */
  readonly buckets: readonly number[]
  /**
   * Returns a record's position in the order, from 0 to 2³²−1. The argument is the record's `shuffle`, or its `seq` if the order
   * is insertion order.
   */
  readonly keyOf: (place: number) => number
}

const insertionOrder: UserOrder = { buckets: [0], keyOf: (seq) => seq }

const makeOrder = (name: string, small: boolean): UserOrder => {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, place: hash(name, bucket) }))
    .sort((a, b) => a.place - b.place || a.bucket - b.bucket)
    .map(({ bucket }) => bucket)
  if (small) return { buckets, keyOf: (shuffle) => hash(name, shuffle) }
  const ranks = new Uint8Array(BUCKETS)
  for (const [rank, bucket] of buckets.entries()) ranks[bucket] = rank
  return { buckets, keyOf: (shuffle) => ranks[shuffle >>> 24]! * 2 ** 24 + (shuffle & 0xffffff) }
}

/** Orders of recent users, keyed by everything on which an order depends. */
const cachedOrders = new LRUCache<string, UserOrder>({ max: 500 })

/**
 * Returns an annotator's individual order of a dataset's records. Each annotator has an individual order of the 256 buckets,
 * but the order of records inside a bucket is the same for everyone. In a small dataset, each record has an individual
 * position.
 */
export const orderOf = ({ userId, shuffled }: QueueOrder, datasetNo: number, records: number): UserOrder => {
  if (!shuffled) return insertionOrder
  const small = records <= FULLY_SHUFFLED
  const name = `${userId} ${datasetNo}`
  const known = cachedOrders.get(`${name} ${small}`)
  if (known !== undefined) return known
  const order = makeOrder(name, small)
  cachedOrders.set(`${name} ${small}`, order)
  return order
}

/** Returns the rank of a record's bucket in the user's order. Only for large datasets. */
export const bucketRankOf = (key: number): number => Math.floor(key / 2 ** 24)

/** Returns the score in wire format. It decreases along the order, is greater than 0, and is at most 1. */
export const scoreOfKey = (key: number): number => 1 - key / ORDER_KEYS

export const keyOfScore = (score: number): number => Math.round((1 - score) * ORDER_KEYS)

const shufflesFrom = ({ db, datasetNo }: SearchContext, from: number) => {
  const query = db.sql.selectFrom('records').where('dataset_no', '=', datasetNo)
  // The condition is left out if it has no effect, because the query can then be answered from an index alone.
  return from === 0 ? query : query.where('seq', '>=', from)
}

const fill = async (context: SearchContext, shuffles: Uint32Array, from: number): Promise<Uint32Array> => {
  const row = await shufflesFrom(context, from).select(pairList('shuffle').as('pairs')).executeTakeFirst()
  forEachPair(row?.pairs ?? '', (seq, shuffle) => {
    shuffles[seq] = shuffle
  })
  return shuffles
}

const capacity = (size: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(size * 4))

/** Returns the entire dataset's `shuffle` values, by `seq`. */
const allShuffles = (context: SearchContext): Promise<Uint32Array | CacheMiss> =>
  context.cache.getOrMake({
    key: 'shuffle',
    cost: recordCount(context),
    make: () => fill(context, capacity(context.size), 0),
    extend: (older: Uint32Array, from) => {
      const grown = capacity(context.size)
      grown.set(older)
      return fill(context, grown, from)
    },
    bytes: (shuffles: Uint32Array) => shuffles.byteLength,
  })

const someShuffles = async (context: SearchContext, seqs: readonly number[]): Promise<(seq: number) => number> => {
  const row = await shufflesFrom(context, 0)
    .where('seq', 'in', context.db.dialect.listed(seqs))
    .select(pairList('shuffle').as('pairs'))
    .executeTakeFirst()
  const shuffles = new Map<number, number>()
  forEachPair(row?.pairs ?? '', (seq, shuffle) => shuffles.set(seq, shuffle))
  return (seq) => shuffles.get(seq) ?? 0
}

export type Hit = { readonly seq: number; readonly score: number | null }

/** Returns a page of a set in the user's order. */
export const pageInUserOrder = async (
  context: SearchContext,
  set: SeqSet,
  order: QueueOrder,
  page: Page,
): Promise<Hit[] | CacheMiss> => {
  const { size, datasetNo } = context
  if (!order.shuffled) return set.slice(page.offset, page.limit).map((seq) => ({ seq, score: scoreOfKey(seq) }))
  const { keyOf } = orderOf(order, datasetNo, recordCount(context))
  const few = set.count() <= MAX_LISTED
  const topHits = few ? null : await allShuffles(context)
  if (topHits instanceof CacheMiss) return topHits
  const shuffleOf = topHits === null ? await someShuffles(context, set.toArray()) : (seq: number) => topHits[seq]!
  const keyOfSeq = (seq: number) => keyOf(shuffleOf(seq))
  return pageBy(set, keyOfSeq, page, { keys: ORDER_KEYS, size }).map((seq) => ({ seq, score: scoreOfKey(keyOfSeq(seq)) }))
}
