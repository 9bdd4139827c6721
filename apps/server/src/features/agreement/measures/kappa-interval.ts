import { Z } from '#platform/wilson.ts'
import type { Interval } from './bootstrap.ts'
import type { Distance } from './distances.ts'

/** How often two raters gave each pair of values: `[value of the first, value of the second, number of units]`. */
type PairCounts = readonly (readonly [number, number, number])[]

/** Rounding can make a variance of 0 slightly larger or smaller. */
const NO_VARIANCE = 1e-12

/**
 * The 95% interval of Cohen's kappa from its large-sample variance, with the agreement weights w = 1 − d / max d: Var = (Σ p_ij
 * (w_ij − (w̄_i· + w̄_·j)(1 − κ))² − (κ − p_e (1 − κ))²) / (n (1 − p_e)²), where w̄_i· = Σ_j p_·j w_ij and w̄_·j = Σ_i p_i· w_ij.
 * Fleiss, Cohen and Everitt (1969), Large sample standard errors of kappa and weighted kappa.
 * @param values the number of distinct values. @returns null if kappa is undefined or if the variance is 0. The variance is 0 if
 * the raters always agree, or if one of them always gave the same value. It then says nothing about kappa
 */
export const kappaInterval = (counts: PairCounts, values: number, distance: Distance): Interval | null => {
  const n = counts.reduce((sum, [, , count]) => sum + count, 0)
  const [rows, columns] = [new Float64Array(values), new Float64Array(values)]
  for (const [i, j, count] of counts) {
    rows[i]! += count / n
    columns[j]! += count / n
  }
  const used = Array.from({ length: values }, (_, i) => i).filter((i) => rows[i]! > 0 || columns[i]! > 0)
  const largest = Math.max(...used.flatMap((i) => used.map((j) => distance(i, j))))
  if (!(largest > 0)) return null
  const weight = (i: number, j: number): number => 1 - distance(i, j) / largest
  const [ofRow, ofColumn] = [new Float64Array(values), new Float64Array(values)]
  let expected = 0
  for (const i of used) {
    for (const j of used) {
      ofRow[i]! += columns[j]! * weight(i, j)
      ofColumn[j]! += rows[i]! * weight(i, j)
    }
    expected += rows[i]! * ofRow[i]!
  }
  if (expected === 1) return null
  const observed = counts.reduce((sum, [i, j, count]) => sum + (count / n) * weight(i, j), 0)
  const kappa = (observed - expected) / (1 - expected)
  const spread = counts.reduce(
    (sum, [i, j, count]) => sum + (count / n) * (weight(i, j) - (ofRow[i]! + ofColumn[j]!) * (1 - kappa)) ** 2,
    0,
  )
  const variance = (spread - (kappa - expected * (1 - kappa)) ** 2) / ((1 - expected) ** 2 * n)
  if (variance < NO_VARIANCE) return null
  const half = Z * Math.sqrt(variance)
  return [kappa - half, Math.min(1, kappa + half)]
}
