import type { UndefinedReason } from '@postil/contract/agreement.ts'

/**
 * The answers to one question, in columns. A unit is one thing that several people answer: a record, or an item of a record. The
 * answers of unit `i` are at the positions from `starts[i]` to `starts[i + 1]` (exclusive), and each rater answers a unit at most
 * once. `values` are indexes into a table of distinct values.
 */
export type Answers = {
  readonly starts: Uint32Array
  readonly raters: Uint32Array
  readonly values: Uint32Array
}

export type Entry = { readonly unit: number; readonly rater: number; readonly value: number }

/** Sorts answers by unit and rater. */
export const answersOf = (entries: readonly Entry[]): Answers => {
  const sorted = entries.toSorted((a, b) => a.unit - b.unit || a.rater - b.rater)
  const starts: number[] = []
  sorted.forEach(({ unit }, i) => {
    if (i === 0 || sorted[i - 1]?.unit !== unit) starts.push(i)
  })
  return {
    starts: Uint32Array.from([...starts, sorted.length]),
    raters: Uint32Array.from(sorted, ({ rater }) => rater),
    values: Uint32Array.from(sorted, ({ value }) => value),
  }
}

export const unitCount = ({ starts }: Answers): number => starts.length - 1

/** Calls `visit` for each unit that has at least two answers. */
export const forEachSharedUnit = ({ starts }: Answers, visit: (from: number, to: number) => void): void => {
  for (let unit = 0; unit + 1 < starts.length; unit += 1) {
    const from = starts[unit]!
    const to = starts[unit + 1]!
    if (to - from >= 2) visit(from, to)
  }
}

/** Why nothing can be compared, or null if at least one unit has two answers. */
export const absenceIn = (answers: Answers): UndefinedReason | null => {
  const { starts, raters } = answers
  for (let unit = 0; unit + 1 < starts.length; unit += 1) if (starts[unit + 1]! - starts[unit]! >= 2) return null
  return raters.length > 0 && raters.every((rater) => rater === raters[0]) ? 'one_annotator' : 'no_overlap'
}

/** The distinct values of a unit in ascending order, each with the number of raters who gave it. */
export type Tally = { readonly raters: number; readonly values: readonly number[]; readonly counts: readonly number[] }

/**
 * All units with the same multiset of values. Coefficients depend only on these multisets, so they are computed once per
 * signature instead of once per unit. `units` is the number of these units, or their total weight.
 */
export type Signature = Tally & { readonly units: number }

const tallyOf = (sorted: ArrayLike<number>): Tally => {
  const values: number[] = []
  const counts: number[] = []
  for (let i = 0; i < sorted.length; i += 1) {
    if (i > 0 && sorted[i] === sorted[i - 1]) counts[counts.length - 1]! += 1
    else {
      values.push(sorted[i]!)
      counts.push(1)
    }
  }
  return { raters: sorted.length, values, counts }
}

const compareLists = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  for (let i = 0; i < a.length && i < b.length; i += 1) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/**
 * Groups equal multisets and adds up their units. The result is sorted, so the order in which multisets are added doesn't matter.
 */
export class SignatureCounter {
  readonly #next = new Map<number, number>()
  readonly #factor: number
  #nodes = 1
  readonly #lists = new Map<number, Uint32Array>()
  readonly #units = new Map<number, number>()
  /** @param values number of distinct values */
  constructor(values: number) {
    this.#factor = Math.max(1, values)
  }
  /** Adds a multiset. `sorted` may be reused afterwards. */
  add(sorted: Uint32Array, units = 1): void {
    // Walks a trie, because building a string key for each of a million units takes several times as long.
    let node = 0
    for (let i = 0; i < sorted.length; i += 1) {
      const edge = node * this.#factor + sorted[i]!
      const known = this.#next.get(edge)
      if (known !== undefined) node = known
      else {
        node = this.#nodes
        this.#nodes += 1
        this.#next.set(edge, node)
      }
    }
    const sum = this.#units.get(node)
    if (sum === undefined) this.#lists.set(node, sorted.slice())
    this.#units.set(node, (sum ?? 0) + units)
  }
  signatures(): Signature[] {
    return [...this.#lists]
      .sort(([, a], [, b]) => compareLists(a, b))
      .map(([node, list]) => ({ ...tallyOf(list), units: this.#units.get(node) ?? 0 }))
  }
}

/** The signatures of all units, including those with one answer. */
export const signaturesOf = ({ starts, values }: Answers, valueCount: number): Signature[] => {
  const counter = new SignatureCounter(valueCount)
  for (let unit = 0; unit + 1 < starts.length; unit += 1) {
    const list = values.slice(starts[unit]!, starts[unit + 1]!)
    if (list.length > 1) list.sort()
    if (list.length > 0) counter.add(list)
  }
  return counter.signatures()
}
