/*
 * The tokens of a bulk are many and few of them differ. Each word crosses threads once, with its places as numbers; behind that all that
 * have a word share one string, which is compared and looked up in a fraction of the time of copies of it.
 */

export type PackedTokens = {
  readonly words: readonly string[]
  /** Length of each list; −1 for one that is null. */
  readonly lengths: Int32Array
  /** The words of all lists, by their place in `words`. */
  readonly places: Uint32Array
}

export const packTokens = (lists: readonly (readonly string[] | null)[]): PackedTokens => {
  const known = new Map<string, number>()
  const places = new Uint32Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0))
  let at = 0
  for (const list of lists) {
    for (const token of list ?? []) {
      let place = known.get(token)
      if (place === undefined) {
        place = known.size
        known.set(token, place)
      }
      places[at] = place
      at += 1
    }
  }
  return { words: [...known.keys()], lengths: Int32Array.from(lists, (list) => list?.length ?? -1), places }
}

/** Reads lists in their order. */
export class TokenReader {
  readonly #packed: PackedTokens
  #lists = 0
  #places = 0
  constructor(packed: PackedTokens) {
    this.#packed = packed
  }

  next(count: number): readonly (readonly string[] | null)[] {
    return Array.from({ length: count }, () => this.#list())
  }

  #list(): readonly string[] | null {
    const { words, lengths, places } = this.#packed
    const length = lengths[this.#lists] ?? 0
    this.#lists += 1
    if (length < 0) return null
    const from = this.#places
    this.#places += length
    const list: string[] = []
    for (let at = from; at < from + length; at += 1) list.push(words[places[at] ?? -1] ?? '')
    return list
  }
}
