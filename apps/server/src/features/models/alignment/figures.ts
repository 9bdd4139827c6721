import { bootstrapInterval, type Interval } from '#features/agreement/public.ts'
import { wilsonInterval } from '#platform/wilson.ts'

/** A share, its confidence interval and the number of trials. */
export type Rate = { readonly value: number; readonly interval: Interval; readonly n: number }

export const rateOf = (successes: number, trials: number): Rate | null => {
  if (trials === 0) return null
  const { low, high } = wilsonInterval(successes, trials)
  return { value: successes / trials, interval: [low, high], n: trials }
}

/** The two values of a record, as indexes: first the people's value, then the model's value. */
export type Pair = readonly [expected: number, given: number]

/** How often each pair of values occurs. */
export const countPairs = (pairs: readonly Pair[]): readonly (readonly [number, number, number])[] => {
  const counts = new Map<string, [number, number, number]>()
  for (const [expected, given] of pairs) {
    const known = counts.get(`${expected} ${given}`)
    if (known === undefined) counts.set(`${expected} ${given}`, [expected, given, 1])
    else known[2] += 1
  }
  return [...counts.values()]
}

type LabelFigures = { readonly label: number; readonly precision: Rate | null; readonly recall: Rate | null }

/** Something that an answer names: a label, or a label at a position in the text. Equal keys mean the same thing. */
export type Named = { readonly label: number; readonly key: string }

/**
 * Returns the precision and recall of each label that occurs.
 * @param namedIn returns the labels or labeled spans in a value. The model is right about an item if both values of the pair
 * contain it
 */
export const labelFigures = (pairs: readonly Pair[], namedIn: (value: number) => readonly Named[]): LabelFigures[] => {
  const counts = new Map<number, { expected: number; given: number; right: number }>()
  const of = (label: number) => {
    const found = counts.get(label) ?? { expected: 0, given: 0, right: 0 }
    counts.set(label, found)
    return found
  }
  for (const [expected, given] of pairs) {
    const wanted = new Set<string>()
    for (const { label, key } of namedIn(expected)) {
      wanted.add(key)
      of(label).expected += 1
    }
    for (const { label, key } of namedIn(given)) {
      of(label).given += 1
      if (wanted.has(key)) of(label).right += 1
    }
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([label, { expected, given, right }]) => ({
      label,
      precision: rateOf(right, given),
      recall: rateOf(right, expected),
    }))
}

/** How sure the model was of a value, and whether the value was right. */
export type ScorePoint = { readonly score: number; readonly isRight: boolean }
export type Bin = {
  readonly from: number
  readonly to: number
  readonly n: number
  readonly score: number
  readonly right: number
}
type Calibration = { readonly n: number; readonly ece: number; readonly brier: number; readonly bins: readonly Bin[] }

const BINS = 10

/**
 * How well scores predict which values are right. ECE is the mean distance between the mean score and the share of right values
 * in ten bins of equal width, weighted by the number of values. Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated
 * probabilities using Bayesian binning. Brier is the mean squared distance between score and outcome. Brier (1950), Verification
 * of forecasts expressed in terms of probability. Empty bins are left out.
 */
export const calibrationOf = (points: readonly ScorePoint[]): Calibration | null => {
  if (points.length === 0) return null
  const sums = Array.from({ length: BINS }, () => ({ n: 0, score: 0, right: 0 }))
  let brier = 0
  for (const { score, isRight } of points) {
    // A bin contains its upper limit.
    const sum = sums.find((_, i) => score <= (i + 1) / BINS) ?? sums[BINS - 1]!
    sum.n += 1
    sum.score += score
    sum.right += isRight ? 1 : 0
    brier += (score - (isRight ? 1 : 0)) ** 2
  }
  const n = points.length
  return {
    n,
    ece: sums.reduce((total, { score, right }) => total + Math.abs(score - right), 0) / n,
    brier: brier / n,
    bins: sums.flatMap((sum, i) =>
      sum.n === 0 ? [] : [{ from: i / BINS, to: (i + 1) / BINS, n: sum.n, score: sum.score / sum.n, right: sum.right / sum.n }],
    ),
  }
}

/**
 * The exact p-value of McNemar's test, which compares two raters: 2·P(X ≤ min(b, c)) for X ~ B(b + c, ½), at most 1. McNemar
 * (1947), Note on the sampling error of the difference between correlated proportions.
 * @param b number of records that only the first rater is right about
 * @param c number of records that only the second rater is right about
 */
export const mcnemar = (b: number, c: number): number => {
  const n = b + c
  let logTerm = -n * Math.LN2
  let sum = 0
  for (let k = 0; k <= Math.min(b, c); k += 1) {
    sum += Math.exp(logTerm)
    logTerm += Math.log((n - k) / (k + 1))
  }
  return Math.min(1, 2 * sum)
}

/**
 * Counts of the records that have a reference: true positives, false negatives, false positives and true negatives. In this file,
 * a positive record is called a case.
 */
export type Cases = { readonly tp: number; readonly fn: number; readonly fp: number; readonly tn: number }
/** Counts of records that have no reference: `cases` for records that the model judges to be cases, and `others` for the rest. */
export type Rest = { readonly cases: number; readonly others: number }
type Corrected = { readonly seen: number; readonly value: number; readonly interval: Interval | null; readonly n: number }

const clip = (share: number): number => Math.min(1, Math.max(0, share))

const correct = ({ tp, fn, fp, tn }: Cases, { cases, others }: Rest): number | null => {
  if (tp + fn === 0 || fp + tn === 0 || cases + others === 0) return null
  const [sensitivity, specificity] = [tp / (tp + fn), tn / (tn + fp)]
  // A model that is no better than chance says nothing about the true share.
  if (sensitivity + specificity <= 1) return null
  return clip((cases / (cases + others) + specificity - 1) / (sensitivity + specificity - 1))
}

/**
 * The share of cases among records that only the model has judged, corrected for the model's errors:
 * θ = (p + TNR − 1) / (TPR + TNR − 1), clipped, with a bootstrap interval over records. Rogan and Gladen (1978), Estimating
 * prevalence from the results of a screening test. Null if it can't be estimated.
 */
export const correctedShare = (known: Cases, rest: Rest): Corrected | null => {
  const value = correct(known, rest)
  if (value === null) return null
  const cells = [known.tp, known.fn, known.fp, known.tn, rest.cases, rest.others]
  const contributions = cells.flatMap((units, cell) => (units === 0 ? [] : [{ units, cells: [cell], amounts: [1] }]))
  const interval = bootstrapInterval(contributions, cells.length, ([tp = 0, fn = 0, fp = 0, tn = 0, cases = 0, others = 0]) =>
    correct({ tp, fn, fp, tn }, { cases, others }),
  )
  const n = rest.cases + rest.others
  return { seen: rest.cases / n, value, interval, n }
}

type LengthBias = {
  /**
   * `right`: the median length, in characters, of the records that the model is right about. `wrong`: the median length of the
   * records that it is wrong about.
   */
  readonly right: number
  readonly wrong: number
  /** The probability that a record with a wrong value is longer than a record with a right value. Ties count as half. */
  readonly longer: number
  readonly n: number
}

const median = (sorted: readonly number[]): number => {
  const half = sorted.length / 2
  return Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : sorted[Math.floor(half)]!
}

/**
 * Whether the model errs more often on long records: U / (n₁ n₂) of the Mann–Whitney test. Mann and Whitney (1947), On a test of
 * whether one of two random variables is stochastically larger than the other. Null if the model is never right or never wrong.
 */
export const lengthBias = (records: readonly { readonly length: number; readonly isRight: boolean }[]): LengthBias | null => {
  const sorted = records.toSorted((a, b) => a.length - b.length)
  const lengths = (isRight: boolean) => sorted.filter((one) => one.isRight === isRight).map(({ length }) => length)
  const [right, wrong] = [lengths(true), lengths(false)]
  if (right.length === 0 || wrong.length === 0) return null
  let [u, rightBefore] = [0, 0]
  for (let from = 0; from < sorted.length; ) {
    let to = from
    let [ties, wrongs] = [0, 0]
    for (; to < sorted.length && sorted[to]!.length === sorted[from]!.length; to += 1) {
      if (sorted[to]!.isRight) ties += 1
      else wrongs += 1
    }
    u += wrongs * (rightBefore + ties / 2)
    rightBefore += ties
    from = to
  }
  const n = sorted.length
  return { right: median(right), wrong: median(wrong), longer: u / (right.length * wrong.length), n }
}
