import { type CategoricalAnswers, checkSize, type SortedAnswers, sortAnswers } from './answers.ts'
import { type Aggregation, accuracyOf, entropyOf, FEW, rounded, sharesOf, toRatios } from './posterior.ts'

type DawidSkeneOptions = {
  /** Number of answers that is added to each count before the counts are divided by their sum. */
  readonly smoothing?: number
  /**
   * Counts below this number are raised to it before smoothing. Counts of labels that an annotator never gives are not raised.
   */
  readonly floor?: number
  /** The computation ends when a round increases the log-likelihood by less than this, in nats. */
  readonly tolerance?: number
  /** Maximum number of rounds, at least 1. */
  readonly rounds?: number
}

/**
 * `prior[j]` is p_j. `errors` contains π^(k)_jl at `(k * labelCount + l) * labelCount + j`, where k is the annotator, l the given
 * label and j the true label. For each answer, the numbers for all true labels are therefore adjacent.
 */
type Parameters = { readonly prior: Float64Array; readonly errors: Float64Array }

/**
 * The smoothing or the floor must be at least this large. Otherwise, the product of `FEW` probabilities could be rounded to 0.
 */
const LEAST = 1e-10

/** Replaces `length` counts with their shares of the sum. The counts are at `from`, `from + step` and so on. */
const toShares = (counts: Float64Array, from: number, step: number, length: number): void => {
  const end = from + step * length
  let sum = 0
  for (let at = from; at < end; at += step) sum += counts[at]!
  for (let at = from; at < end; at += step) counts[at]! /= sum
}

/**
 * Estimates the parameters from the posterior T. Equations 2.3 and 2.4 of Dawid and Skene (1979):
 * - p_j ∝ Σ_i T_ij
 * - π^(k)_jl ∝ Σ_i T_ij n_ikl, where n_ikl is the number of times that annotator k gives label l to item i
 */
const maximize = (
  { starts, cells, cellCounts, annotatorCount, itemCount, labelCount }: SortedAnswers,
  posterior: Float64Array,
  { prior, errors }: Parameters,
  { smoothing, floor }: Required<DawidSkeneOptions>,
): void => {
  prior.fill(0)
  errors.fill(0)
  for (let item = 0; item < itemCount; item += 1) {
    const row = item * labelCount
    for (let j = 0; j < labelCount; j += 1) prior[j]! += posterior[row + j]!
    for (let i = starts[item]!; i < starts[item + 1]!; i += 1) {
      const to = cells[i]! * labelCount
      for (let j = 0; j < labelCount; j += 1) errors[to + j]! += posterior[row + j]!
    }
  }
  for (let j = 0; j < labelCount; j += 1) prior[j] = Math.max(prior[j]!, floor) + smoothing
  toShares(prior, 0, 1, labelCount)
  for (let at = 0; at < errors.length; at += 1) {
    const isGiven = cellCounts[Math.floor(at / labelCount)]! > 0
    errors[at] = (isGiven ? Math.max(errors[at]!, floor) : 0) + smoothing
  }
  for (let k = 0; k < annotatorCount; k += 1)
    for (let j = 0; j < labelCount; j += 1) toShares(errors, k * labelCount * labelCount + j, labelCount, labelCount)
}

/**
 * Computes p_j Π_k Π_l (π^(k)_jl)^n_ikl for the item with the answers from `from` to `to` (exclusive). If there are more than
 * `FEW` answers, the result is divided by a common factor.
 * @param joint replaced with the result for each true label j
 * @returns the log of the factor
 */
const multiply = (
  { cells, labelCount }: SortedAnswers,
  { prior, errors }: Parameters,
  [from, to]: readonly [number, number],
  joint: Float64Array,
): number => {
  joint.set(prior)
  if (to - from <= FEW) {
    for (let i = from; i < to; i += 1) {
      const row = cells[i]! * labelCount
      for (let j = 0; j < labelCount; j += 1) joint[j]! *= errors[row + j]!
    }
    return 0
  }
  for (let j = 0; j < labelCount; j += 1) {
    let log = Math.log(prior[j]!)
    for (let i = from; i < to; i += 1) log += Math.log(errors[cells[i]! * labelCount + j]!)
    joint[j] = log
  }
  return toRatios(joint, labelCount)
}

/**
 * Estimates the posterior from the parameters: T_ij ∝ p_j Π_k Π_l (π^(k)_jl)^n_ikl, equation 2.5 of Dawid and Skene (1979).
 * @returns the log-likelihood of the answers, Σ_i ln Σ_j p_j Π_k Π_l (π^(k)_jl)^n_ikl
 */
const expect = (answers: SortedAnswers, posterior: Float64Array, parameters: Parameters): number => {
  const { starts, itemCount, labelCount } = answers
  const joint = new Float64Array(labelCount)
  let likelihood = 0
  for (let item = 0; item < itemCount; item += 1) {
    likelihood += multiply(answers, parameters, [starts[item]!, starts[item + 1]!], joint)
    let sum = 0
    for (let j = 0; j < labelCount; j += 1) sum += joint[j]!
    for (let j = 0; j < labelCount; j += 1) posterior[item * labelCount + j] = rounded(joint[j]! / sum)
    likelihood += Math.log(sum)
  }
  return likelihood
}

const logSum = (probabilities: Float64Array): number => probabilities.reduce((sum, one) => sum + Math.log(one), 0)

/**
 * The true labels of items according to Dawid and Skene (1979), Maximum Likelihood Estimation of Observer Error-Rates Using the
 * EM Algorithm, Applied Statistics 28. Each annotator k has a table π^(k) of errors: π^(k)_jl is the probability that k gives
 * label l to an item with the true label j. The first posterior is the share of the item's answers that give each label.
 *
 * `logLikelihood` includes the smoothing, which acts as a Dirichlet prior: smoothing · (Σ_j ln p_j + Σ ln π^(k)_jl) is added. No
 * round makes this sum smaller.
 *
 * The Python library crowd-kit has no smoothing. Instead, it raises counts to a floor of 1e-10, so that a single answer rules out
 * every label for which its annotator has not given that answer before. Smoothing leaves those labels possible. The library also
 * stops at 1e-5 nats per answer, which is earlier.
 */
export const dawidSkene = (answers: CategoricalAnswers, options: DawidSkeneOptions = {}): Aggregation => {
  const all = { smoothing: 0.01, floor: 0, tolerance: 1e-6, rounds: 100, ...options }
  if (!(all.smoothing >= LEAST || all.floor >= LEAST))
    throw new RangeError(`The smoothing or the floor must be at least ${LEAST}.`)
  const sorted = sortAnswers(answers)
  const { annotatorCount, labelCount } = sorted
  const cells = annotatorCount * labelCount
  checkSize(`Error tables of ${annotatorCount} annotators with ${labelCount} × ${labelCount} labels`, cells * labelCount)
  const posterior = sharesOf(sorted)
  const parameters = { prior: new Float64Array(labelCount), errors: new Float64Array(cells * labelCount) }
  let rounds = 0
  let logLikelihood = -Infinity
  for (let gain = Infinity; rounds < all.rounds && gain >= all.tolerance; rounds += 1) {
    maximize(sorted, posterior, parameters, all)
    const penalty = all.smoothing === 0 ? 0 : all.smoothing * (logSum(parameters.prior) + logSum(parameters.errors))
    const next = expect(sorted, posterior, parameters) + penalty
    gain = next - logLikelihood
    logLikelihood = next
  }
  return { posterior, entropy: entropyOf(sorted, posterior), accuracy: accuracyOf(sorted, posterior), logLikelihood, rounds }
}
