import type { TokenCount } from '#platform/db/text/text-index.ts'

/* A bulk request has many tokens but few distinct words. Each distinct word crosses threads once, and its occurrences are sent as
   numbers. After unpacking, all occurrences of a word share one string. Comparing and looking up a shared string takes a fraction
   of the time needed for copies. */

/**
 * A record's token lists. There is one list for each field and each type that accepts the field's value. A list is null if it is
 * computed on demand.
 */
export type TokenLists = readonly (readonly string[] | null)[]

/**
 * A record's token lists. `first` contains the indexes of the lists that are searched. For each field, this is the list of the
 * first type that accepts the field's value.
 */
export type RecordLists = { readonly lists: TokenLists; readonly first: readonly number[] }

export type PackedTokens = {
  readonly words: readonly string[]
  /** Each record's number of lists. */
  readonly counts: Uint32Array
  /** Length of each list; −1 for null. */
  readonly lengths: Int32Array
  /** The words of all lists, as indexes into `words`. */
  readonly places: Uint32Array
  /** Null if any list that must be counted is null. */
  readonly found: FoundWords | null
}

/**
 * `places`: indexes into `words`, sorted by word. `records`: the number of records that contain each of these words. If several
 * field types accept a field's value, only the words that the first of these types finds are counted.
 */
type FoundWords = { readonly places: Uint32Array; readonly records: Uint32Array }

/** Counts each word once per record. */
class Found {
  readonly #counts: number[] = []
  readonly #last: number[] = []
  add(place: number, record: number): void {
    if (this.#last[place] === record) return
    this.#last[place] = record
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }
  all(known: ReadonlyMap<string, number>): FoundWords {
    // Sorting is twice as fast without a compare function.
    const sorted = [...known.keys()].sort().map((word) => known.get(word) ?? 0)
    const places = Uint32Array.from(sorted.filter((place) => this.#counts[place] !== undefined))
    return { places, records: places.map((place) => this.#counts[place] ?? 0) }
  }
}

export const packTokens = (records: readonly RecordLists[]): PackedTokens => {
  const known = new Map<string, number>()
  const found = new Found()
  const all = records.flatMap(({ lists }) => lists)
  const places = new Uint32Array(all.reduce((sum, list) => sum + (list?.length ?? 0), 0))
  let at = 0
  const put = (list: readonly string[], record: number | null): void => {
    for (const token of list) {
      let place = known.get(token)
      if (place === undefined) {
        place = known.size
        known.set(token, place)
      }
      places[at] = place
      at += 1
      if (record !== null) found.add(place, record)
    }
  }
  let isWhole = true
  for (const [record, { lists, first }] of records.entries()) {
    for (const [i, list] of lists.entries()) put(list ?? [], first.includes(i) ? record : null)
    isWhole &&= first.every((i) => lists[i] !== null)
  }
  return {
    words: [...known.keys()],
    counts: Uint32Array.from(records, ({ lists }) => lists.length),
    lengths: Int32Array.from(all, (list) => list?.length ?? -1),
    places,
    found: isWhole ? found.all(known) : null,
  }
}

/** A bulk request's tokens, which may arrive after its records. */
export class BulkTokens {
  #packed: PackedTokens | null = null
  /** `#lists[record]` is the index of the record's first list. `#places[list]` is the position of the list's first word. */
  #lists: Uint32Array = new Uint32Array()
  #places: Uint32Array = new Uint32Array()

  receive(packed: PackedTokens): void {
    this.#packed = packed
    this.#lists = startsOf(packed.counts)
    this.#places = startsOf(packed.lengths.map((length) => Math.max(0, length)))
  }

  /** Returns the token lists of a record. Before `receive` is called, returns no lists, and the caller must compute them. */
  of(record: number): TokenLists {
    const first = this.#lists[record] ?? 0
    return Array.from({ length: this.#packed?.counts[record] ?? 0 }, (_, i) => this.#list(first + i))
  }

  /**
   * Returns how many records contain each token, sorted by token. The tokens of a field depend on its type. The count assumes the
   * first field type that accepts the field's value. Null if the count is unknown.
   */
  found(): readonly TokenCount[] | null {
    if (this.#packed === null || this.#packed.found === null) return null
    const { words, found } = this.#packed
    return Array.from(found.places, (place, i) => ({ token: words[place] ?? '', df: found.records[i] ?? 0 }))
  }

  #list(at: number): readonly string[] | null {
    const { words = [], lengths = [], places = [] } = this.#packed ?? {}
    const length = lengths[at] ?? -1
    if (length < 0) return null
    const from = this.#places[at] ?? 0
    const list: string[] = []
    for (let place = from; place < from + length; place += 1) list.push(words[places[place] ?? -1] ?? '')
    return list
  }
}

/** Returns the start offsets of consecutive parts. */
const startsOf = (lengths: Uint32Array | Int32Array): Uint32Array => {
  let end = 0
  return Uint32Array.from(lengths, (length) => {
    end += length
    return end - length
  })
}
