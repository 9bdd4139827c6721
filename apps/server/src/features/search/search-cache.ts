import type { Db } from '#platform/db/db.ts'

/**
 * The state of the dataset from which a cached result was computed: the content version, and the `seq` of the next record. The
 * numbers in a cached result are in shared memory, so that threads can exchange results without copying.
 */
export type Stamp = { readonly version: number; readonly nextSeq: number }
export type CacheEntry = {
  readonly key: string
  readonly stamp: Stamp
  readonly value: unknown
  readonly bytes: number
  /** Whether searches can use the result after records have been added. They must then bring the result up to date. */
  readonly isUpdatable?: true
}

const sameStamp = (a: Stamp, b: Stamp): boolean => a.version === b.version && a.nextSeq === b.nextSeq

/** Whether a search can use an entry when the dataset is in the state `now`. */
export const isUsable = ({ stamp, isUpdatable }: CacheEntry, now: Stamp): boolean =>
  isUpdatable === true ? stamp.version === now.version && stamp.nextSeq <= now.nextSeq : sameStamp(stamp, now)

const MAX_BYTES = 32 * 2 ** 20

/** The most recently used entries, up to a memory limit. */
export class CacheEntries {
  readonly #entries = new Map<string, CacheEntry>()
  #bytes = 0
  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry
  }
  put(entry: CacheEntry): void {
    this.#drop(entry.key)
    this.#entries.set(entry.key, entry)
    this.#bytes += entry.bytes
    for (const [key] of this.#entries) {
      if (this.#bytes <= MAX_BYTES || key === entry.key) break
      this.#drop(key)
    }
  }
  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

/** This thread's entries for each store. */
const threadCaches = new WeakMap<object, CacheEntries>()
const threadEntries = (store: object): CacheEntries => {
  const known = threadCaches.get(store) ?? new CacheEntries()
  threadCaches.set(store, known)
  return known
}

/** Returned in the fast lane instead of an expensive result that isn't cached. `keys` identifies the missing entries. */
export class CacheMiss {
  readonly keys: readonly string[]
  constructor(keys: readonly string[]) {
    this.keys = keys
  }
}

/** Returns a result that was computed outside the fast lane. Cache misses occur only in the fast lane, so a miss is an error. */
export const withoutMiss = <T>(result: T | CacheMiss): T => {
  if (result instanceof CacheMiss) throw new Error(`a search outside the fast lane misses ${result.keys.join(', ')}`)
  return result
}

/** Approximate number of index entries that a query in the fast lane may read for results that aren't cached. */
const MAX_QUICK_COST = 20_000

export type CacheSpec<T> = {
  readonly key: string
  /** Approximate number of index entries that must be read to compute the result. */
  readonly cost: number
  /** Computes the result from an older result and the records starting at `from`, if possible. */
  readonly extend?: (older: T, from: number) => Promise<T | CacheMiss>
  readonly make: () => Promise<T | CacheMiss>
  readonly bytes: (value: T) => number
}

/** The result of a cached query: its value or, in the fast lane, the missing keys. */
export type CachedResult<T> =
  | { readonly missingKeys: readonly string[]; readonly stamp: Stamp }
  | { readonly value: T; readonly made: readonly CacheEntry[] }

/** @returns the result of `work`, or the missing keys that it needs */
export const runWithCache = async <T>(cache: SearchCache, work: () => Promise<T | CacheMiss>): Promise<CachedResult<T>> => {
  const value = await work()
  return value instanceof CacheMiss ? { missingKeys: value.keys, stamp: cache.stamp } : { value, made: cache.made }
}

/** One search's view of a dataset's cache. */
export class SearchCache {
  readonly stamp: Stamp
  readonly #entries: CacheEntries
  readonly #datasetNo: number
  readonly #quick: boolean
  readonly #made: CacheEntry[] = []
  /** @param options `provided`: entries that another thread has computed, to add to the cache */
  constructor(
    db: Db,
    datasetNo: number,
    stamp: Stamp,
    options: { readonly quick: boolean; readonly provided: readonly CacheEntry[] },
  ) {
    // Each open store has its own dialect object.
    this.#entries = threadEntries(db.dialect)
    this.#datasetNo = datasetNo
    this.stamp = stamp
    this.#quick = options.quick
    for (const entry of options.provided) this.#entries.put(entry)
  }
  /** The entries that this search computed, for use by other threads. */
  get made(): readonly CacheEntry[] {
    return this.#made
  }
  get isQuick(): boolean {
    return this.#quick
  }
  /** The key of an entry in caches that are shared by all datasets. */
  fullKey(key: string): string {
    return `${this.#datasetNo} ${key}`
  }
  /**
   * A result that may lack the newest records. The caller must add the records whose `seq` is at least `nextSeq`, because they
   * were created after the result was computed.
   */
  updatable<T>(key: string): { readonly value: T; readonly nextSeq: number } | null {
    const entry = this.#entries.get(this.fullKey(key))
    if (entry === undefined || !isUsable(entry, this.stamp)) return null
    // A key's value always has the same type.
    return { value: entry.value as T, nextSeq: entry.stamp.nextSeq }
  }
  /** Caches a result that later searches update. */
  keep(key: string, value: unknown, bytes: number): void {
    this.#add({ key: this.fullKey(key), stamp: this.stamp, value, bytes: bytes + 200, isUpdatable: true })
  }
  #add(entry: CacheEntry): void {
    this.#entries.put(entry)
    this.#made.push(entry)
  }
  /**
   * Returns the usable cache entry, if any, and the cost of computing the rest of the result. `current` is a complete result.
   * `older` is a result that lacks the newest records.
   */
  #left<T>({ key, cost, extend }: CacheSpec<T>): {
    readonly remainingCost: number
    readonly current: CacheEntry | null
    readonly older: CacheEntry | null
  } {
    const entry = this.#entries.get(this.fullKey(key))
    const missing = { remainingCost: cost, current: null, older: null }
    if (entry === undefined || entry.stamp.version !== this.stamp.version) return missing
    const { nextSeq } = entry.stamp
    if (nextSeq === this.stamp.nextSeq) return { remainingCost: 0, current: entry, older: null }
    if (extend === undefined || nextSeq > this.stamp.nextSeq) return missing
    return { remainingCost: Math.min(cost, this.stamp.nextSeq - nextSeq), current: null, older: entry }
  }
  /**
   * Returns a cache miss that lists the missing results, if computing all of them would take too long for the fast lane.
   * Otherwise returns null.
   */
  missOf<T>(spec: readonly CacheSpec<T>[]): CacheMiss | null {
    if (!this.#quick) return null
    const missing = spec
      .map((candidate) => ({ candidate, remainingCost: this.#left(candidate).remainingCost }))
      .filter(({ remainingCost }) => remainingCost > 0)
    const total = missing.reduce((sum, { remainingCost }) => sum + remainingCost, 0)
    return total > MAX_QUICK_COST ? new CacheMiss(missing.map(({ candidate }) => this.fullKey(candidate.key))) : null
  }
  /**
   * Must be called before work whose result is never cached. Returns a cache miss if the work would take too long in the fast
   * lane.
   */
  missOfCost(cost: number): CacheMiss | null {
    return this.#quick && cost > MAX_QUICK_COST ? new CacheMiss([]) : null
  }
  /** Returns the result or, like `missOf`, a cache miss. */
  async getOrMake<T>(spec: CacheSpec<T>): Promise<T | CacheMiss> {
    const { remainingCost, current, older } = this.#left(spec)
    // A key's value always has the same type.
    if (current !== null) return current.value as T
    if (this.#quick && remainingCost > MAX_QUICK_COST) return new CacheMiss([this.fullKey(spec.key)])
    const value =
      older !== null && spec.extend !== undefined ? await spec.extend(older.value as T, older.stamp.nextSeq) : await spec.make()
    if (value instanceof CacheMiss) return value
    this.#add({ key: this.fullKey(spec.key), stamp: this.stamp, value, bytes: spec.bytes(value) + 200 })
    return value
  }
}
