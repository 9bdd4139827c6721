import type { Db } from '#platform/db/db.ts'

/**
 * Results that are worth keeping between searches, each with the state of the dataset that it was made of: the content
 * version, and the `seq` that the next record gets. Their numbers lie in shared memory, so that a thread hands them over without a copy.
 */
export type Stamp = { readonly version: number; readonly nextSeq: number }
export type KeptEntry = { readonly key: string; readonly stamp: Stamp; readonly value: unknown; readonly bytes: number }

export const sameStamp = (a: Stamp, b: Stamp): boolean => a.version === b.version && a.nextSeq === b.nextSeq

const MAX_BYTES = 32 * 2 ** 20

/** The most recently used entries, within a bound of memory. */
export class KeptEntries {
  readonly #entries = new Map<string, KeptEntry>()
  #bytes = 0
  get(key: string): KeptEntry | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry
  }
  put(entry: KeptEntry): void {
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

/** What this thread has of each store. */
const ofThread = new WeakMap<object, KeptEntries>()
const entriesOf = (store: object): KeptEntries => {
  const known = ofThread.get(store) ?? new KeptEntries()
  ofThread.set(store, known)
  return known
}

/** Thrown on the page's path when something that takes long is not at hand; `keys` say what. */
export class Cold extends Error {
  readonly keys: readonly string[]
  constructor(keys: readonly string[]) {
    super('not at hand')
    this.keys = keys
  }
}

/** About how many index entries the page's path may read for what is not at hand. */
const QUICK = 20_000

export type Wanted<T> = {
  readonly key: string
  /** About how many index entries it takes to make it. */
  readonly cost: number
  /** For what can be made of its older self and the records since: those from `from` on. */
  readonly extend?: (older: T, from: number) => Promise<T>
  readonly make: () => Promise<T>
  readonly bytes: (value: T) => number
}

/** What a query that keeps things gives: its value, or on the page's path what it lacks. */
export type Kept<T> =
  | { readonly cold: readonly string[]; readonly stamp: Stamp }
  | { readonly value: T; readonly made: readonly KeptEntry[] }

/** @returns what `work` gives, or what was not at hand for it */
export const keptBy = async <T>(keeper: Keeper, work: () => Promise<T>): Promise<Kept<T>> => {
  try {
    return { value: await work(), made: keeper.made }
  } catch (error) {
    if (error instanceof Cold) return { cold: error.keys, stamp: keeper.stamp }
    throw error
  }
}

/** One search's view of what is kept about a dataset. */
export class Keeper {
  readonly stamp: Stamp
  readonly #entries: KeptEntries
  readonly #datasetNo: number
  readonly #quick: boolean
  readonly #made: KeptEntry[] = []
  /** @param given entries that another thread made */
  constructor(
    db: Db,
    datasetNo: number,
    stamp: Stamp,
    options: { readonly quick: boolean; readonly given: readonly KeptEntry[] },
  ) {
    // NOTE: one of these is made for every store that is opened
    this.#entries = entriesOf(db.dialect)
    this.#datasetNo = datasetNo
    this.stamp = stamp
    this.#quick = options.quick
    for (const entry of options.given) this.#entries.put(entry)
  }
  /** What this search made, for other threads. */
  get made(): readonly KeptEntry[] {
    return this.#made
  }
  #full(key: string): string {
    return `${this.#datasetNo} ${key}`
  }
  /** What is at hand of it, and the part of the cost that is left. */
  #left<T>({ key, cost, extend }: Wanted<T>): {
    readonly left: number
    readonly current: KeptEntry | null
    readonly older: KeptEntry | null
  } {
    const entry = this.#entries.get(this.#full(key))
    const missing = { left: cost, current: null, older: null }
    if (entry === undefined || entry.stamp.version !== this.stamp.version) return missing
    const { nextSeq } = entry.stamp
    if (nextSeq === this.stamp.nextSeq) return { left: 0, current: entry, older: null }
    if (extend === undefined || nextSeq > this.stamp.nextSeq) return missing
    return { left: Math.min(cost, this.stamp.nextSeq - nextSeq), current: null, older: entry }
  }
  /** @throws Cold on the page's path when all that is missing takes too long */
  require<T>(wanted: readonly Wanted<T>[]): void {
    if (!this.#quick) return
    const missing = wanted.map((one) => ({ one, left: this.#left(one).left })).filter(({ left }) => left > 0)
    const total = missing.reduce((sum, { left }) => sum + left, 0)
    if (total > QUICK) throw new Cold(missing.map(({ one }) => this.#full(one.key)))
  }
  /** Before work that is never kept. @throws Cold on the page's path when it takes too long */
  expect(cost: number): void {
    if (this.#quick && cost > QUICK) throw new Cold([])
  }
  /** @throws Cold as `require` */
  async take<T>(wanted: Wanted<T>): Promise<T> {
    const { left, current, older } = this.#left(wanted)
    // Every key stands for one kind of value.
    if (current !== null) return current.value as T
    if (this.#quick && left > QUICK) throw new Cold([this.#full(wanted.key)])
    const value =
      older !== null && wanted.extend !== undefined
        ? await wanted.extend(older.value as T, older.stamp.nextSeq)
        : await wanted.make()
    const entry = { key: this.#full(wanted.key), stamp: this.stamp, value, bytes: wanted.bytes(value) + 200 }
    this.#entries.put(entry)
    this.#made.push(entry)
    return value
  }
}
