import type { Signature } from './answers.ts'
import { defined, type Measured, undefinedBecause } from './measured.ts'

/** A weight from 0 (disagreement) to 1 (agreement) for two values. */
type Weight = (k: number, l: number) => number

export const identity: Weight = (k, l) => (k === l ? 1 : 0)

/** 1 − (k − l)² / (max − min)², computed from the numbers in `scale` instead of the indexes k and l. */
export const quadratic = (scale: readonly number[]): Weight => {
  const range = Math.max(...scale) - Math.min(...scale)
  return (k, l) => (range === 0 ? 1 : 1 - ((scale[k]! - scale[l]!) / range) ** 2)
}

/** Σ_k r_k (r*_k − 1) / (m(m − 1)) for one unit, where r*_k = Σ_l w_kl r_l. */
const agreementOf = ({ raters, values, counts }: Signature, weight: Weight): number => {
  let sum = 0
  for (let i = 0; i < values.length; i += 1) {
    let weighted = 0
    for (let j = 0; j < values.length; j += 1) weighted += weight(values[i]!, values[j]!) * counts[j]!
    sum += counts[i]! * (weighted - 1)
  }
  return sum / (raters * (raters - 1))
}

/**
 * The fraction of equal pairs of answers in a unit, averaged over the units with at least two answers. Null if there are none.
 */
export const observedAgreement = (signatures: readonly Signature[], weight: Weight = identity): number | null => {
  let [sum, units] = [0, 0]
  for (const signature of signatures) {
    if (signature.raters < 2) continue
    sum += signature.units * agreementOf(signature, weight)
    units += signature.units
  }
  return units === 0 ? null : sum / units
}

/**
 * Gwet's AC1, and AC2 with weights: (p_a − p_e) / (1 − p_e), where p_a is `observedAgreement` and
 * p_e = T_w / (q(q − 1)) · Σ π_k (1 − π_k). T_w is the sum of all weights, q the number of values of the scale, and π_k the mean
 * share of k over all answered units. With identity weights, T_w = q. Gwet (2008), Computing inter-rater reliability and its
 * variance in the presence of high agreement; Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition.
 */
export const gwet = (signatures: readonly Signature[], q: number, weight: Weight = identity): Measured => {
  const observed = observedAgreement(signatures, weight)
  if (observed === null) return undefinedBecause('no_overlap')
  const shares = new Float64Array(q)
  let units = 0
  for (const signature of signatures) {
    units += signature.units
    const { raters, values, counts } = signature
    for (let i = 0; i < values.length; i += 1) shares[values[i]!]! += (signature.units * counts[i]!) / raters
  }
  if (shares.filter((share) => share > 0).length < 2) return undefinedBecause('no_variation')
  let variation = 0
  for (const share of shares) variation += (share / units) * (1 - share / units)
  let total = 0
  for (let k = 0; k < q; k += 1) for (let l = 0; l < q; l += 1) total += weight(k, l)
  const expected = (total / (q * (q - 1))) * variation
  return defined((observed - expected) / (1 - expected))
}
