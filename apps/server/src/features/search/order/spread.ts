import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { VectorSettingsRow } from '#features/schema/public.ts'
import { conditionsOf } from '../conditions/conditions.ts'
import { CacheMiss } from '../search-cache.ts'
import type { SearchContext } from '../search-context.ts'
import { intersect, SeqSet } from '../seq-set.ts'
import { readUnits } from './read-vectors.ts'
import type { Page } from './select-page.ts'
import { hash } from './user-order.ts'

/** How many records are chosen at a time. */
const PAGE = 200
/** The number of records from which a page is chosen, and the maximum size of their vectors in bytes. */
const MAX_POOL = 2000
const POOL_BYTES = 2 ** 25
/** The number of recently chosen records with which new candidates are compared. */
const RECENT = 400
/** Maximum number of records that are put in order. The others follow in insertion order. */
const MAX_ORDERED = PAGE * 2 ** 6
/** The number of completed records after which the order of the pending ones is computed again. */
const EPOCH = 2000
const SEQS_PER_READ = 500
/** How many records are chosen before other work gets a turn. */
const CHOSEN_PER_TURN = 10

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

type Candidate = { readonly seq: number; readonly unit: Float32Array; distance: number }

/**
 * An order in which each record is as different as possible from those before it: the greedy solution of the k-center problem
 * (Gonzalez 1985) with cosine distances. A page of 200 records is chosen from a random pool of 2,000 candidates, so memory and
 * time don't depend on the size of the dataset. If there are at most 2,000 candidates, the pool contains all of them.
 */
class Spread {
  readonly order: number[] = []
  readonly epoch: number
  readonly #setting: VectorSettingsRow
  #size = 0
  /** The candidates that aren't in the pool yet, in reverse order: the next one is the last element. */
  #candidates: number[] = []
  #pool: Candidate[] = []
  #recent: Float32Array[]
  #running: Promise<void> = Promise.resolve()

  constructor(setting: VectorSettingsRow, epoch: number, earlier: Spread | undefined) {
    this.#setting = setting
    this.epoch = epoch
    this.#recent = earlier?.recent ?? []
  }

  get recent(): Float32Array[] {
    return this.#recent
  }

  /** Reads the pending records that have a vector, in random order. Reads them again if records have been added. */
  async #readCandidates(context: SearchContext): Promise<void> {
    if (this.#size === context.size) return
    const found = await conditionsOf(context, [
      { kind: 'vectors', setting: this.#setting.no },
      { kind: 'status', statuses: ['pending'] },
    ])
    if (found instanceof CacheMiss) throw new Error('a spread is computed outside the fast lane')
    const set = await intersect([...found.content, ...found.volatile], async () => SeqSet.empty(context.size), context.size)
    for (const seq of [...this.order, ...this.#pool.map((one) => one.seq)]) set.remove(seq)
    const name = `spread ${context.datasetNo}`
    this.#candidates = set
      .toArray()
      .map((seq) => ({ seq, place: hash(name, seq) }))
      .sort((a, b) => b.place - a.place || b.seq - a.seq)
      .map(({ seq }) => seq)
    this.#size = context.size
  }

  async #fillPool(context: SearchContext): Promise<void> {
    const { no, dimensions } = this.#setting
    const most = Math.max(PAGE, Math.min(MAX_POOL, Math.floor(POOL_BYTES / (4 * dimensions))))
    while (this.#pool.length < most && this.#candidates.length > 0) {
      const seqs = this.#candidates.splice(-Math.min(SEQS_PER_READ, most - this.#pool.length)).reverse()
      const units = await readUnits(context, no, seqs)
      for (const seq of seqs) {
        const precise = units.get(seq)
        if (precise === undefined) continue
        const unit = Float32Array.from(precise)
        const distance = this.#recent.reduce((least, center) => Math.min(least, 1 - dot(center, unit)), Number.POSITIVE_INFINITY)
        this.#pool.push({ seq, unit, distance })
      }
      await setImmediate()
    }
  }

  /** Chooses the candidate with the greatest distance to its nearest chosen record. */
  #chooseNext(): void {
    const pool = this.#pool
    let at = 0
    for (let i = 1; i < pool.length; i++) if (pool[i]!.distance > pool[at]!.distance) at = i
    const [chosen] = pool.splice(at, 1)
    if (chosen === undefined) return
    this.order.push(chosen.seq)
    this.#recent.push(chosen.unit)
    for (const one of pool) one.distance = Math.min(one.distance, 1 - dot(chosen.unit, one.unit))
  }

  /** Puts at least `count` records in order, if there are that many. One call runs at a time. */
  extend(context: SearchContext, count: number): Promise<void> {
    const work = this.#running.then(() => this.#extend(context, count))
    // The next call must run even if this one fails.
    this.#running = work.catch(() => undefined)
    return work
  }

  async #extend(context: SearchContext, count: number): Promise<void> {
    await this.#readCandidates(context)
    while (this.order.length < count) {
      await this.#fillPool(context)
      if (this.#pool.length === 0) return
      for (let i = 0; i < PAGE; i++) {
        this.#chooseNext()
        if (i % CHOSEN_PER_TURN === 0) await setImmediate()
      }
      this.#recent = this.#recent.slice(-RECENT)
    }
  }
}

/**
 * The spread orders that this thread has computed, for each store. An order is used until up to `EPOCH` more records have been
 * completed, because new content changes the order only slightly.
 */
const spreads = new WeakMap<object, LRUCache<string, Spread>>()

/** The first records of the order, at least `count` if there are that many. */
const firstOfSpread = async (context: SearchContext, setting: VectorSettingsRow, count: number, epoch: number) => {
  const known = spreads.get(context.db.dialect) ?? new LRUCache<string, Spread>({ max: 4 })
  spreads.set(context.db.dialect, known)
  const key = `${context.datasetNo} ${setting.no}`
  const earlier = known.get(key)
  const spread = earlier?.epoch === epoch ? earlier : new Spread(setting, epoch, earlier)
  known.set(key, spread)
  await spread.extend(context, count)
  const first = Uint32Array.from(spread.order.slice(0, count))
  const shared = new Uint32Array(new SharedArrayBuffer(first.byteLength))
  shared.set(first)
  return shared
}

/**
 * Returns a page of a set in an order in which each record is as different as possible from those before it. At most 12,800
 * records are put in this order. The other records, and those without a vector, come last, in insertion order.
 */
export const pageSpread = async (
  context: SearchContext,
  set: SeqSet,
  setting: VectorSettingsRow,
  { offset, limit }: Page,
): Promise<readonly number[] | CacheMiss> => {
  const wanted = offset + limit
  const epoch = Math.floor(context.counts.completed / EPOCH)
  let found: number[] = []
  for (let count = PAGE; count <= MAX_ORDERED; count *= 2) {
    const first = await context.cache.getOrMake<Uint32Array>({
      key: `spread ${setting.no} ${count} ${epoch}`,
      // This never runs in the fast lane, because vectors are large.
      cost: Number.POSITIVE_INFINITY,
      make: () => firstOfSpread(context, setting, count, epoch),
      bytes: (value) => value.byteLength,
    })
    if (first instanceof CacheMiss) return first
    found = [...first].filter((seq) => set.has(seq))
    if (found.length >= wanted || first.length < count) break
  }
  if (found.length < wanted) {
    const rest = set.grown(context.size)
    for (const seq of found) rest.remove(seq)
    found.push(...rest.slice(0, wanted - found.length))
  }
  return found.slice(offset, wanted)
}
