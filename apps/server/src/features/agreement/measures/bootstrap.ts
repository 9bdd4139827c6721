import { randomFrom } from '#platform/random.ts'
import { drawUnits } from './binomial.ts'

/**
 * What one unit adds to the sums from which a statistic is computed: `amounts[i]` is added to the sum `cells[i]`. `units` is the
 * number of units that add the same amounts.
 */
export type Contribution = { readonly units: number; readonly cells: ArrayLike<number>; readonly amounts: ArrayLike<number> }

export type Interval = readonly [low: number, high: number]

const RESAMPLES = 1000
const SEED = 20_110_125
/** If there are more distinct contributions than this, the units are divided into groups, and the groups are resampled. */
const MAX_GROUPS = 2000
/** Number of groups, if units are resampled in groups. */
const GROUPS = 1000

/**
 * Randomly divides the units into groups of nearly equal size. Resampling groups gives an interval of the same width as
 * resampling units. This is because the mean of G groups of U/G units has the same variance as the mean of U units.
 */
const grouped = (contributions: readonly Contribution[], random: () => number): Contribution[] => {
  const units = contributions.flatMap((one) => Array.from({ length: one.units }, () => one))
  for (let i = units.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[units[i], units[j]] = [units[j]!, units[i]!]
  }
  const groups = Array.from({ length: GROUPS }, () => new Map<number, number>())
  units.forEach(({ cells, amounts }, i) => {
    const sums = groups[i % GROUPS]!
    for (let at = 0; at < cells.length; at += 1) sums.set(cells[at]!, (sums.get(cells[at]!) ?? 0) + amounts[at]!)
  })
  return groups.map((sums) => ({ units: 1, cells: [...sums.keys()], amounts: [...sums.values()] }))
}

/** The value below which the given fraction of the sorted values lies, interpolated linearly. */
const quantile = (sorted: readonly number[], share: number): number => {
  const at = share * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/**
 * The 95% percentile bootstrap interval over units: 1,000 resamples with a fixed seed, so that the same answers always have the
 * same interval. Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13. Null if there are fewer than two
 * units, or if the statistic is undefined in most resamples.
 * @param statistic computes the statistic from the sums, or returns null if it is undefined
 */
export const bootstrapInterval = (
  contributions: readonly Contribution[],
  cells: number,
  statistic: (sums: Float64Array) => number | null,
): Interval | null => {
  if (contributions.reduce((sum, { units }) => sum + units, 0) < 2) return null
  const random = randomFrom(SEED)
  const groups = contributions.length > MAX_GROUPS ? grouped(contributions, random) : contributions
  const sizes = Float64Array.from(groups, ({ units }) => units)
  const drawn = new Float64Array(groups.length)
  const sums = new Float64Array(cells)
  const values: number[] = []
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    drawUnits(sizes, drawn, random)
    sums.fill(0)
    groups.forEach((group, i) => {
      const times = drawn[i]!
      if (times === 0) return
      for (let at = 0; at < group.cells.length; at += 1) sums[group.cells[at]!]! += times * group.amounts[at]!
    })
    const value = statistic(sums)
    if (value !== null) values.push(value)
  }
  if (values.length < RESAMPLES / 2) return null
  values.sort((a, b) => a - b)
  return [quantile(values, 0.025), quantile(values, 0.975)]
}
