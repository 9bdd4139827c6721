import { type Answers, forEachSharedUnit } from './answers.ts'
import { defined, type Measured, undefinedBecause } from './measured.ts'

/** Agreement between two raters on the units that both have answered. `a` < `b`. */
export type Pair = {
  readonly a: number
  readonly b: number
  readonly units: number
  /** The mean similarity of the two raters' answers, from 0 to 1. */
  readonly observed: number
  readonly kappa: Measured | null
}

type RaterAgreement = {
  readonly rater: number
  readonly answers: number
  /**
   * The mean similarity between the rater's answers and all other answers to the same units. Null if there are no other answers.
   */
  readonly withOthers: number | null
  /**
   * The mean similarity between the rater's answers and the reference. Null if the rater answered no unit that has a reference.
   */
  readonly withReference: number | null
  /** Number of the rater's answers to units with a reference. */
  readonly references: number
}

export type PairReport = {
  readonly pairs: readonly Pair[]
  /** Number of pairs that are not listed. */
  readonly leftOut: number
  readonly raters: readonly RaterAgreement[]
  /** Mean over all pairs of answers. Null if there are none. */
  readonly meanDistance: number | null
}

export type PairOptions = {
  /** From 0 to 1. Symmetric. */
  readonly similarity: (c: number, k: number) => number
  /** The squared or nominal distance for kappa. Omitted if kappa isn't defined for the values. */
  readonly kappa?: { readonly values: number; readonly distance: (c: number, k: number) => number }
  /** See `MeasureInput`. */
  readonly reference?: Int32Array | undefined
  /** Defaults to `similarity`. */
  readonly similarityToReference?: PairOptions['similarity']
  /** If given, the mean distance over all pairs of answers is reported. */
  readonly distance?: (c: number, k: number) => number
  readonly most: number
}

class KappaCounts {
  readonly a: Float64Array
  readonly b: Float64Array
  distance = 0
  constructor(values: number) {
    this.a = new Float64Array(values)
    this.b = new Float64Array(values)
  }
}

/**
 * Cohen's kappa: 1 − Σ d_ij o_ij / Σ d_ij e_ij with the distances d, observed shares o and expected shares e. With the nominal
 * distance, it is (p_o − p_e) / (1 − p_e); with the squared distance, the quadratic weighted kappa. Cohen (1960), A coefficient
 * of agreement for nominal scales; Cohen (1968), Weighted kappa.
 */
const kappaOf = (
  { a, b, distance }: KappaCounts,
  units: number,
  between: NonNullable<PairOptions['kappa']>['distance'],
): Measured => {
  let expected = 0
  for (let c = 0; c < a.length; c += 1) {
    if (a[c] === 0) continue
    for (let k = 0; k < b.length; k += 1) if (b[k] !== 0) expected += a[c]! * b[k]! * between(c, k)
  }
  return expected === 0 ? undefinedBecause('no_variation') : defined(1 - (distance * units) / expected)
}

const forEachPair = (answers: Answers, visit: (i: number, j: number) => void): void =>
  forEachSharedUnit(answers, (from, to) => {
    for (let i = from; i < to; i += 1) for (let j = i + 1; j < to; j += 1) visit(i, j)
  })

/** For each rater, the sum of the similarities between the answers and the reference, and the number of compared answers. */
const compareWithReference = (
  { starts, raters, values }: Answers,
  raterCount: number,
  { reference, similarity, similarityToReference = similarity }: PairOptions,
) => {
  const sums = new Float64Array(raterCount)
  const counts = new Float64Array(raterCount)
  reference?.forEach((expected, unit) => {
    if (expected < 0) return
    for (let i = starts[unit]!; i < starts[unit + 1]!; i += 1) {
      sums[raters[i]!]! += similarityToReference(values[i]!, expected)
      counts[raters[i]!]! += 1
    }
  })
  return { sums, counts }
}

/** Compares all pairs of answers to the same unit. Lists the pairs of raters with the most shared units. */
export const comparePairs = (answers: Answers, raterCount: number, options: PairOptions): PairReport => {
  const { raters, values } = answers
  const keyOf = (i: number, j: number): number =>
    raters[i]! < raters[j]! ? raters[i]! * raterCount + raters[j]! : raters[j]! * raterCount + raters[i]!
  const sums = new Map<number, { units: number; similarity: number }>()
  const given = new Float64Array(raterCount)
  for (const rater of raters) given[rater]! += 1
  const similarities = new Float64Array(raterCount)
  const compared = new Float64Array(raterCount)
  let [distance, count] = [0, 0]
  forEachPair(answers, (i, j) => {
    const similarity = options.similarity(values[i]!, values[j]!)
    const key = keyOf(i, j)
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { units: 1, similarity })
    else {
      sum.units += 1
      sum.similarity += similarity
    }
    for (const rater of [raters[i]!, raters[j]!]) {
      similarities[rater]! += similarity
      compared[rater]! += 1
    }
    count += 1
    if (options.distance !== undefined) distance += options.distance(values[i]!, values[j]!)
  })
  const withReference = compareWithReference(answers, raterCount, options)
  const listed = [...sums].sort(([x, a], [y, b]) => b.units - a.units || x - y).slice(0, options.most)
  const kappas = kappasOf(answers, new Set(listed.map(([key]) => key)), keyOf, options.kappa)
  return {
    pairs: listed.map(([key, { units, similarity }]) => {
      const counts = kappas.get(key)
      return {
        a: Math.floor(key / raterCount),
        b: key % raterCount,
        units,
        observed: similarity / units,
        kappa: counts === undefined || options.kappa === undefined ? null : kappaOf(counts, units, options.kappa.distance),
      }
    }),
    leftOut: sums.size - listed.length,
    raters: Array.from({ length: raterCount }, (_, rater) => ({
      rater,
      answers: given[rater]!,
      withOthers: compared[rater] === 0 ? null : similarities[rater]! / compared[rater]!,
      withReference: withReference.counts[rater] === 0 ? null : withReference.sums[rater]! / withReference.counts[rater]!,
      references: withReference.counts[rater]!,
    })),
    meanDistance: count === 0 ? null : distance / count,
  }
}

const kappasOf = (
  answers: Answers,
  listed: ReadonlySet<number>,
  keyOf: (i: number, j: number) => number,
  kappa: PairOptions['kappa'],
): ReadonlyMap<number, KappaCounts> => {
  const found = new Map<number, KappaCounts>()
  if (kappa === undefined) return found
  const { raters, values } = answers
  forEachPair(answers, (i, j) => {
    const key = keyOf(i, j)
    if (!listed.has(key)) return
    const counts = found.get(key) ?? new KappaCounts(kappa.values)
    found.set(key, counts)
    const [first, second] = raters[i]! < raters[j]! ? [values[i]!, values[j]!] : [values[j]!, values[i]!]
    counts.a[first]! += 1
    counts.b[second]! += 1
    counts.distance += kappa.distance(first, second)
  })
  return found
}
