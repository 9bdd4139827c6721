import { logGamma } from './log-gamma.ts'

/** The highest expected share of false discoveries. */
const Q = 0.05
/**
 * The minimum number of records that both an annotator and others must have answered. With fewer records, the test of this
 * annotator isn't meaningful.
 */
const LEAST_RECORDS = 30
const LEAST_ANNOTATORS = 3

/** Continued fraction of the incomplete beta function, by Lentz's method. Press et al. (2007), Numerical Recipes, section 6.4. */
const betaFraction = (x: number, a: number, b: number): number => {
  const tiny = 1e-300
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 500; m += 1) {
    for (const factor of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / safe(1 + factor * d)
      c = safe(1 + factor / c)
      result *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return result
}

/** The regularized incomplete beta function I_x(a, b). */
const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  // The fraction converges quickly only below this bound. Above it, I_x(a, b) = 1 − I_{1−x}(b, a) is used.
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** P(T ≤ t) of Student's t distribution. */
const studentBelow = (t: number, freedom: number): number => {
  const tail = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
  return t < 0 ? tail : 1 - tail
}

/**
 * Returns which p-values count as discoveries according to the procedure of Benjamini and Yekutieli (2001). The tests may depend
 * on each other.
 */
const discoveries = (values: readonly number[]): readonly boolean[] => {
  const harmonic = values.reduce((sum, _, i) => sum + 1 / (i + 1), 0)
  const sorted = values.toSorted((a, b) => a - b)
  const last = sorted.findLastIndex((p, i) => p <= ((i + 1) * Q) / (values.length * harmonic))
  return values.map((p) => last >= 0 && p <= sorted[last]!)
}

/**
 * Compares an annotator (`rater`) with the model on one record. `person` is the sum of the similarities between the annotator's
 * answer and the other annotators' answers. `model` is the same sum for the model's answer.
 */
export type Duel = { readonly rater: number; readonly model: number; readonly person: number }
type Rival = {
  readonly rater: number
  readonly n: number
  /**
   * `model`: the share of records in which the model agrees with the others at least as closely as the person does. `person`: the
   * share of records in which the person agrees with the others at least as closely as the model does.
   */
  readonly model: number
  readonly person: number
  readonly p: number
}

/** Tests whether the model can replace one annotator: H₀ is ρ(model) ≤ ρ(person) − ε. One-sided paired t-test. */
const rivalOf = (rater: number, duels: readonly Duel[], epsilon: number): Rival => {
  const n = duels.length
  const modelWins = duels.filter(({ model, person }) => model >= person).length
  const personWins = duels.filter(({ model, person }) => person >= model).length
  const mean = (personWins - modelWins) / n
  const squares = duels.reduce((sum, { model, person }) => sum + (Math.sign(person - model) - mean) ** 2, 0)
  const error = Math.sqrt(squares / (n - 1) / n)
  const p = error === 0 ? (mean < epsilon ? 0 : 1) : studentBelow((mean - epsilon) / error, n - 1)
  return { rater, n, model: modelWins / n, person: personWins / n, p }
}

type Alternative = {
  /** ω: the share of annotators that the model can replace. */
  readonly winning: number
  /**
   * How often the model agrees with the other annotators at least as closely as one annotator does, as a share of the records.
   * This is the average over all annotators who are compared with the model.
   */
  readonly advantage: number
  readonly rivals: readonly (Rival & { readonly isBeaten: boolean })[]
}

/**
 * The alternative annotator test. Calderon, Reichart and Dror (2025), The alternative annotator test for LLM-as-a-judge. The test
 * uses only annotators who have answered at least 30 records that others have also answered. Null if there are fewer than three
 * such annotators.
 * @param epsilon how much worse than a person the model may be. A tolerance is justified because the model is cheaper
 */
export const alternativeTest = (duels: readonly Duel[], epsilon: number): Alternative | null => {
  const rivals = [...Map.groupBy(duels, ({ rater }) => rater)]
    .filter(([, own]) => own.length >= LEAST_RECORDS)
    .sort(([a], [b]) => a - b)
    .map(([rater, own]) => rivalOf(rater, own, epsilon))
  if (rivals.length < LEAST_ANNOTATORS) return null
  const beaten = discoveries(rivals.map(({ p }) => p))
  return {
    winning: beaten.filter(Boolean).length / rivals.length,
    advantage: rivals.reduce((sum, { model }) => sum + model, 0) / rivals.length,
    rivals: rivals.map((rival, i) => ({ ...rival, isBeaten: beaten[i]! })),
  }
}
