import type { Signature } from './answers.ts'
import { bootstrapInterval, type Contribution, type Interval } from './bootstrap.ts'
import type { Metric } from './distances.ts'

/** Number of distinct values above which computing an interval for alpha takes too long. */
const MAX_VALUES = 500

/**
 * `units` is how many units have these values. `parts` contains the values that raters gave. It has one entry, except if the unit
 * is a text that is divided into segments: each entry then stands for all segments with the same values.
 */
type Unit = { readonly units: number; readonly parts: readonly Signature[] }

type Counted = { readonly values: readonly number[]; readonly cellOf: ReadonlyMap<number, number> }

const usedValues = (units: readonly Unit[]): Counted => {
  const used = new Set<number>()
  for (const { parts } of units) for (const { raters, values } of parts) if (raters >= 2) for (const v of values) used.add(v)
  const values = [...used].sort((a, b) => a - b)
  return { values, cellOf: new Map(values.map((value, cell) => [value, cell])) }
}

const summed = (units: number, sums: ReadonlyMap<number, number>): Contribution => ({
  units,
  cells: Uint32Array.from(sums.keys()),
  amounts: Float64Array.from(sums.values()),
})

/**
 * The interval for alpha, for a metric whose distances don't depend on the answers. It is computed from n_c for each value, and
 * from Σ o_ck δ_ck. `alphaOf` explains the symbols.
 */
export const alphaInterval = (units: readonly Unit[], metric: Metric): Interval | null => {
  const { values, cellOf } = usedValues(units)
  const q = values.length
  if (q < 2 || q > MAX_VALUES) return null
  const distance = metric([])
  const between = Float64Array.from({ length: q * q }, (_, i) => distance(values[Math.floor(i / q)]!, values[i % q]!))
  const contributions = units.map(({ units: count, parts }) => {
    const sums = new Map<number, number>()
    const add = (cell: number, amount: number) => sums.set(cell, (sums.get(cell) ?? 0) + amount)
    for (const { raters, units: weight, values: list, counts } of parts) {
      if (raters < 2) continue
      let mixed = 0
      const cells = list.map((value) => cellOf.get(value)!)
      cells.forEach((c, i) => {
        add(c, weight * counts[i]!)
        for (let j = i + 1; j < cells.length; j += 1) mixed += 2 * counts[i]! * counts[j]! * between[c * q + cells[j]!]!
      })
      if (mixed > 0) add(q, (weight * mixed) / (raters - 1))
    }
    return summed(count, sums)
  })
  return bootstrapInterval(contributions, q + 1, (sums) => {
    let [n, expected] = [0, 0]
    for (let c = 0; c < q; c += 1) {
      const count = sums[c]!
      if (count === 0) continue
      n += count
      let sum = 0
      for (let k = c + 1; k < q; k += 1) sum += sums[k]! * between[c * q + k]!
      expected += 2 * count * sum
    }
    return expected === 0 ? null : 1 - ((n - 1) * sums[q]!) / expected
  })
}

/**
 * The confidence interval for alpha with any distance function. It is computed from n_c for each value, and from o_ck for each
 * pair of values. `alphaOf` explains the symbols.
 */
export const ordinalInterval = (signatures: readonly Signature[], metric: Metric): Interval | null => {
  const units = signatures.map((signature): Unit => ({ units: signature.units, parts: [{ ...signature, units: 1 }] }))
  const { values, cellOf } = usedValues(units)
  const q = values.length
  if (q < 2 || q > MAX_VALUES) return null
  const contributions = units.map(({ units: count, parts }) => {
    const sums = new Map<number, number>()
    for (const { raters, values: list, counts } of parts) {
      if (raters < 2) continue
      const cells = list.map((value) => cellOf.get(value)!)
      cells.forEach((c, i) => {
        sums.set(c, counts[i]!)
        for (let j = i + 1; j < cells.length; j += 1)
          sums.set(q + c * q + cells[j]!, (2 * counts[i]! * counts[j]!) / (raters - 1))
      })
    }
    return summed(count, sums)
  })
  return bootstrapInterval(contributions, q + q * q, (sums) => {
    const counts = sums.subarray(0, q)
    const distance = metric(counts)
    let [n, observed, expected] = [0, 0, 0]
    for (let c = 0; c < q; c += 1) {
      n += counts[c]!
      for (let k = c + 1; k < q; k += 1) {
        const d = distance(c, k)
        observed += sums[q + c * q + k]! * d
        expected += 2 * counts[c]! * counts[k]! * d
      }
    }
    return expected === 0 ? null : 1 - ((n - 1) * observed) / expected
  })
}

/** The interval for a mean over units. */
export const meanInterval = (values: readonly number[]): Interval | null => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const contributions = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, units]): Contribution => ({ units, cells: [0, 1], amounts: [value, 1] }))
  return bootstrapInterval(contributions, 2, (sums) => (sums[1] === 0 ? null : sums[0]! / sums[1]!))
}
