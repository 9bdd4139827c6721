import type { Signature } from './answers.ts'
import type { Metric } from './distances.ts'
import { defined, type Measured, undefinedBecause } from './measured.ts'

/**
 * Coincidence counts of units with at least two answers. For each number of raters m, `pairs` has the number of ordered pairs of
 * answers (c, k), c ≤ k, under the key `c * values + k`. The counts are divided by m − 1 only at the end. Until then, they are
 * exact integers, so a recount gives exactly the same result.
 */
type Coincidences = {
  /** Number of distinct values. */
  readonly values: number
  readonly pairs: ReadonlyMap<number, ReadonlyMap<number, number>>
  /** n_c: number of pairable answers with each value. */
  readonly counts: Float64Array
}

export const coincidencesOf = (signatures: readonly Signature[], values: number): Coincidences => {
  const byRaters = new Map<number, Map<number, number>>()
  const counts = new Float64Array(values)
  for (const { raters, units, values: list, counts: given } of signatures) {
    if (raters < 2) continue
    const pairs = byRaters.get(raters) ?? new Map<number, number>()
    byRaters.set(raters, pairs)
    for (let i = 0; i < list.length; i += 1) {
      const c = list[i]!
      const n = given[i]!
      counts[c]! += units * n
      if (n > 1) pairs.set(c * values + c, (pairs.get(c * values + c) ?? 0) + units * n * (n - 1))
      for (let j = i + 1; j < list.length; j += 1) {
        const key = c * values + list[j]!
        pairs.set(key, (pairs.get(key) ?? 0) + units * n * given[j]!)
      }
    }
  }
  return { values, pairs: byRaters, counts }
}

/**
 * `observed` and `expected` are agreement as a share from 0 to 1, that is, 1 minus the mean distance. Distances are scaled so
 * that the largest distance between used values is 1. α = (observed − expected) / (1 − expected).
 */
export type Alpha = { readonly alpha: Measured; readonly observed: number | null; readonly expected: number | null }

/** Number of distinct values above which computing the distances between all pairs of values takes too long. */
export const MAX_VALUES = 20_000

/**
 * Krippendorff's alpha: 1 − (n − 1)·Σ o_ck δ_ck / Σ n_c n_k δ_ck, with the coincidences
 * o_ck = Σ_u Σ_{i≠j} [v_i = c, v_j = k] / (m_u − 1), n_c = Σ_k o_ck and n = Σ n_c. Krippendorff (2011), Computing
 * Krippendorff's Alpha-Reliability. Undefined if all pairable answers have the same value.
 */
export const alphaOf = ({ values, pairs, counts }: Coincidences, metric: Metric): Alpha => {
  const used: number[] = []
  for (let c = 0; c < counts.length; c += 1) if (counts[c]! > 0) used.push(c)
  const unknown = (alpha: Measured): Alpha => ({ alpha, observed: null, expected: null })
  if (used.length === 0) return unknown(undefinedBecause('no_overlap'))
  if (used.length > MAX_VALUES) return unknown(undefinedBecause('too_many_values'))
  const distance = metric(counts)
  const n = counts.reduce((sum, count) => sum + count, 0)
  let observed = 0
  for (const raters of [...pairs.keys()].sort((a, b) => a - b)) {
    let sum = 0
    for (const [key, count] of pairs.get(raters) ?? []) {
      const c = Math.floor(key / values)
      const k = key % values
      if (c !== k) sum += 2 * count * distance(c, k)
    }
    observed += sum / (raters - 1)
  }
  let expected = 0
  let largest = 0
  for (let i = 0; i < used.length; i += 1) {
    const c = used[i]!
    let sum = 0
    for (let j = i + 1; j < used.length; j += 1) {
      const d = distance(c, used[j]!)
      if (d > largest) largest = d
      sum += counts[used[j]!]! * d
    }
    expected += 2 * counts[c]! * sum
  }
  if (expected === 0) return unknown(undefinedBecause('no_variation'))
  return {
    alpha: defined(1 - ((n - 1) * observed) / expected),
    observed: 1 - observed / n / largest,
    expected: 1 - expected / (n * (n - 1)) / largest,
  }
}

export type LabelAlpha = { readonly alpha: Measured; readonly count: number }

/**
 * The nominal alpha of each label against all other labels, and the total number of answers with the label.
 * @param labelsOf the labels of each value
 */
export const alphaPerLabel = (
  signatures: readonly Signature[],
  labels: number,
  labelsOf: (value: number) => readonly number[],
): LabelAlpha[] => {
  const all = new Float64Array(labels)
  const pairable = new Float64Array(labels)
  /**
   * For each label, the number of ordered pairs of answers to the same unit in which exactly one of the two answers has the
   * label. The keys of the map are numbers of raters. The indexes of the arrays are labels.
   */
  const mixed = new Map<number, Float64Array>()
  let n = 0
  for (const { raters, units, values, counts } of signatures) {
    const given = new Map<number, number>()
    for (let i = 0; i < values.length; i += 1)
      for (const label of labelsOf(values[i]!)) given.set(label, (given.get(label) ?? 0) + counts[i]!)
    if (raters >= 2) n += units * raters
    const pairs = mixed.get(raters) ?? new Float64Array(labels)
    mixed.set(raters, pairs)
    for (const [label, count] of given) {
      all[label]! += units * count
      if (raters < 2) continue
      pairable[label]! += units * count
      pairs[label]! += 2 * units * count * (raters - count)
    }
  }
  const sizes = [...mixed.keys()].filter((raters) => raters >= 2).sort((a, b) => a - b)
  return Array.from({ length: labels }, (_, label) => {
    const expected = 2 * pairable[label]! * (n - pairable[label]!)
    const observed = sizes.reduce((sum, raters) => sum + mixed.get(raters)![label]! / (raters - 1), 0)
    const alpha =
      n === 0
        ? undefinedBecause('no_overlap')
        : expected === 0
          ? undefinedBecause('no_variation')
          : defined(1 - ((n - 1) * observed) / expected)
    return { alpha, count: all[label]! }
  })
}
