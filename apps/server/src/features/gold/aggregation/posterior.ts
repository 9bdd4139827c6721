import type { SortedAnswers } from './answers.ts'

/** The result of estimating the true labels of items from all answers. */
export type Aggregation = {
  /**
   * The probability of each label: label `j` of item `i` is at `i * labelCount + j`. The probabilities of an item sum to 1,
   * except for errors of up to 1e-10 per label.
   */
  readonly posterior: Float64Array
  /** −Σ_j p_j ln p_j for each item, in nats: 0 if the label is certain, at most ln(labelCount). */
  readonly entropy: Float64Array
  /** The expected share of each annotator's answers that are the true label, from 0 to 1. NaN for annotators without answers. */
  readonly accuracy: Float64Array
  /** The quantity that the rule maximizes, in nats. */
  readonly logLikelihood: number
  /** Number of rounds until the result stopped changing or the limit was reached. */
  readonly rounds: number
}

/**
 * Rounds a probability to a multiple of 2^-33, which is about 1e-10. Adding 2^19 removes all smaller digits.
 *
 * If the answers don't distinguish two labels or annotators, their numbers must be equal. Without rounding, these numbers could
 * differ in the last digit, because they are summed in a different order. Each round of the algorithm can multiply such a
 * difference, which could then break a tie by chance.
 */
export const rounded = (probability: number): number => probability + 2 ** 19 - 2 ** 19

/**
 * For an item with up to this number of answers, probabilities are multiplied. With more answers, the product could be too small
 * or too large for a floating-point number, so logs are added instead. Adding logs takes several times as long.
 */
export const FEW = 12

/**
 * Replaces the first `count` logs with their exponentials, divided by the largest exponential.
 * @returns the largest log
 */
export const toRatios = (logs: Float64Array, count: number): number => {
  let max = -Infinity
  for (let i = 0; i < count; i += 1) if (logs[i]! > max) max = logs[i]!
  for (let i = 0; i < count; i += 1) logs[i] = Math.exp(logs[i]! - max)
  return max
}

/** For each item and label: the share of the item's answers that give this label. A matrix with a row for each item. */
export const sharesOf = ({ starts, labels, itemCount, labelCount }: SortedAnswers): Float64Array => {
  const shares = new Float64Array(itemCount * labelCount)
  for (let item = 0; item < itemCount; item += 1) {
    const from = starts[item]!
    const to = starts[item + 1]!
    for (let i = from; i < to; i += 1) shares[item * labelCount + labels[i]!]! += 1
    for (let at = item * labelCount; at < (item + 1) * labelCount; at += 1) shares[at]! /= to - from
  }
  return shares
}

/** Σ T_il / n_k over the n_k answers (i, l) of each annotator k, where T is the posterior. */
export const accuracyOf = (answers: SortedAnswers, posterior: Float64Array): Float64Array => {
  const { starts, cells, labels, annotatorCounts, annotatorCount, itemCount, labelCount } = answers
  const byCell = new Float64Array(annotatorCount * labelCount)
  for (let item = 0; item < itemCount; item += 1)
    for (let i = starts[item]!; i < starts[item + 1]!; i += 1) byCell[cells[i]!]! += posterior[item * labelCount + labels[i]!]!
  return annotatorCounts.map((count, k) => {
    let sum = 0
    for (let label = 0; label < labelCount; label += 1) sum += byCell[k * labelCount + label]!
    return sum / count
  })
}

export const entropyOf = ({ itemCount, labelCount }: SortedAnswers, posterior: Float64Array): Float64Array => {
  const entropy = new Float64Array(itemCount)
  for (let item = 0; item < itemCount; item += 1) {
    let sum = 0
    for (let at = item * labelCount; at < (item + 1) * labelCount; at += 1) {
      const probability = posterior[at]!
      if (probability > 0 && probability < 1) sum -= probability * Math.log(probability)
    }
    entropy[item] = sum
  }
  return entropy
}

/** How close the two highest probabilities of an item must be to count as a tie. */
const TIE = 1e-9

/** The label with the highest probability for each item, or -1 if the highest probability is tied. */
export const likeliestLabels = (posterior: Float64Array, labelCount: number): Int32Array => {
  const found = new Int32Array(labelCount === 0 ? 0 : posterior.length / labelCount)
  for (let item = 0; item < found.length; item += 1) {
    let best = 0
    let second = -Infinity
    for (let label = 1; label < labelCount; label += 1) {
      const probability = posterior[item * labelCount + label]!
      const highest = posterior[item * labelCount + best]!
      if (probability > highest) best = label
      second = Math.max(second, Math.min(probability, highest))
    }
    found[item] = posterior[item * labelCount + best]! - second <= TIE ? -1 : best
  }
  return found
}
