import { type Reach, recordsIn } from '../reach.ts'
import type { SeqSet } from '../seq-set.ts'
import { forEachPair, pairList } from './pairs.ts'
import { type Page, pageBy } from './select-page.ts'

/** Up to this many records every annotator has an order that has nothing to do with anybody else's. */
export const FULLY_SHUFFLED = 1000
/** Results up to this size are read one by one, and nothing is kept of the rest. */
const FEW = 300
const BUCKETS = 256
export const ORDER_KEYS = 2 ** 32

/** A number of 32 bits that looks random, from a text (FNV-1a) and a number, mixed as MurmurHash3 does at its end. */
const hash = (text: string, number: number): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h ^= Math.imul(number, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export type UserOrder = {
  /** The buckets (top 8 bits of `shuffle`) in the user's order. */
  readonly buckets: readonly number[]
  /** Where a record stands in the user's order, 0 to 2³²−1, by its `shuffle`. */
  readonly keyOf: (shuffle: number) => number
}

const makeOrder = (name: string, small: boolean): UserOrder => {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, place: hash(name, bucket) }))
    .sort((a, b) => a.place - b.place || a.bucket - b.bucket)
    .map(({ bucket }) => bucket)
  if (small) return { buckets, keyOf: (shuffle) => hash(name, shuffle) }
  const ranks = new Uint8Array(BUCKETS)
  for (const [rank, bucket] of buckets.entries()) ranks[bucket] = rank
  return { buckets, keyOf: (shuffle) => ranks[shuffle >>> 24]! * 2 ** 24 + (shuffle & 0xffffff) }
}

/** Of those who searched last, by everything that an order depends on. */
const made = new Map<string, UserOrder>()
const MOST_MADE = 500

/**
 * One annotator's order of a dataset: the 256 buckets in an order of the user's own, inside of which the records keep theirs;
 * in a small dataset every record by itself.
 */
export const orderOf = (userId: string, datasetNo: number, records: number): UserOrder => {
  const small = records <= FULLY_SHUFFLED
  const name = `${userId} ${datasetNo}`
  const known = made.get(`${name} ${small}`)
  if (known !== undefined) return known
  const order = makeOrder(name, small)
  if (made.size >= MOST_MADE) made.clear()
  made.set(`${name} ${small}`, order)
  return order
}

/** The place of a record's bucket among the user's, in a large dataset. */
export const bucketRankOf = (key: number): number => Math.floor(key / 2 ** 24)

/** What the wire calls a score: falling along the order, greater than 0, at most 1. */
export const scoreOfKey = (key: number): number => 1 - key / ORDER_KEYS

export const keyOfScore = (score: number): number => Math.round((1 - score) * ORDER_KEYS)

const shufflesFrom = ({ db, datasetNo }: Reach, from: number) => {
  const query = db.sql.selectFrom('records').where('dataset_no', '=', datasetNo)
  // NOTE: without it an index has all that is asked for
  return from === 0 ? query : query.where('seq', '>=', from)
}

const fill = async (reach: Reach, shuffles: Uint32Array, from: number): Promise<Uint32Array> => {
  const row = await shufflesFrom(reach, from).select(pairList('shuffle').as('pairs')).executeTakeFirst()
  forEachPair(row?.pairs ?? '', (seq, shuffle) => {
    shuffles[seq] = shuffle
  })
  return shuffles
}

const room = (size: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(size * 4))

/** `shuffle` by `seq` of the whole dataset. */
const allShuffles = (reach: Reach): Promise<Uint32Array> =>
  reach.keeper.take({
    key: 'shuffle',
    cost: recordsIn(reach),
    make: () => fill(reach, room(reach.size), 0),
    extend: (older: Uint32Array, from) => {
      const grown = room(reach.size)
      grown.set(older)
      return fill(reach, grown, from)
    },
    bytes: (shuffles) => shuffles.byteLength,
  })

const someShuffles = async (reach: Reach, seqs: readonly number[]): Promise<(seq: number) => number> => {
  const row = await shufflesFrom(reach, 0)
    .where('seq', 'in', reach.db.dialect.listed(seqs))
    .select(pairList('shuffle').as('pairs'))
    .executeTakeFirst()
  const shuffles = new Map<number, number>()
  forEachPair(row?.pairs ?? '', (seq, shuffle) => shuffles.set(seq, shuffle))
  return (seq) => shuffles.get(seq) ?? 0
}

export type Hit = { readonly seq: number; readonly score: number | null }

/** A page of a set in the user's order. @throws Cold on the page's path */
export const pageInUserOrder = async (reach: Reach, set: SeqSet, userId: string, page: Page): Promise<Hit[]> => {
  const { size, datasetNo } = reach
  const { keyOf } = orderOf(userId, datasetNo, recordsIn(reach))
  const few = set.count() <= FEW
  const kept = few ? null : await allShuffles(reach)
  const shuffleOf = kept === null ? await someShuffles(reach, set.toArray()) : (seq: number) => kept[seq]!
  const keyOfSeq = (seq: number) => keyOf(shuffleOf(seq))
  return pageBy(set, keyOfSeq, page, { keys: ORDER_KEYS, size }).map((seq) => ({ seq, score: scoreOfKey(keyOfSeq(seq)) }))
}
