import { randomFrom } from '#platform/random.ts'
import { type CategoricalAnswers, type SortedAnswers, sortAnswers } from './answers.ts'
import { digamma } from './digamma.ts'
import { type Aggregation, accuracyOf, entropyOf, FEW, rounded, sharesOf, toRatios } from './posterior.ts'

/** The parameters with which the computation starts. */
type MaceStart = {
  /** The probability that each annotator knows the label instead of guessing. */
  readonly knowing: Float64Array
  /** The probability that an annotator gives a label when guessing. It is at `annotator * labelCount + label`. */
  readonly guesses: Float64Array
}

type MaceOptions = {
  /** Number of random starts. The result with the highest likelihood is used. */
  readonly restarts?: number
  /** Equal seeds give equal starts. */
  readonly seed?: number
  /** Starts to use instead of random ones. */
  readonly starts?: readonly MaceStart[]
  /**
   * The computation for one start ends after a round that changes the log-likelihood by less than this value, in nats. Default:
   * 1e-6 times the number of answers.
   */
  readonly tolerance?: number
  /** Maximum number of rounds for each start. With 0, the start's parameters are the result. */
  readonly rounds?: number
}

/**
 * Both parameters of the prior of knowing and guessing, Beta(0.5, 0.5). Under this prior, annotators mostly do one of the two.
 * Hovy et al. (2013), section 3.3.
 */
const KNOWING_PRIOR = 0.5
/** The prior of the guesses, a symmetric Dirichlet distribution. Hovy et al. (2013), section 3.3. */
const GUESSES_PRIOR = 10
/** The bounds of the random probabilities of knowing. */
const [LOWEST, HIGHEST] = [0.25, 0.75]
/** Each annotator has a rate of agreement with the other annotators. Rates that differ by less than this are considered equal. */
const EQUAL = 1e-9

/** Groups annotators who have the same number of answers and agree equally with the others. Returns each annotator's group. */
const groupsOf = (answers: SortedAnswers): Int32Array => {
  const { annotatorCounts, annotatorCount } = answers
  const agreement = accuracyOf(answers, sharesOf(answers))
  const order = Int32Array.from({ length: annotatorCount }, (_, k) => k)
  order.sort((a, b) => annotatorCounts[a]! - annotatorCounts[b]! || agreement[a]! - agreement[b]!)
  const groups = new Int32Array(annotatorCount)
  for (let i = 1; i < annotatorCount; i += 1) {
    const [before, k] = [order[i - 1]!, order[i]!]
    const areEqual = annotatorCounts[before] === annotatorCounts[k] && agreement[k]! - agreement[before]! < EQUAL
    groups[k] = groups[before]! + (areEqual ? 0 : 1)
  }
  return groups
}

/**
 * Returns random start parameters. `knowing` is random, but the same for all annotators of a group. Otherwise, the random numbers
 * would break ties that the answers leave open. In `guesses`, all labels have the same probability.
 */
function* randomStarts(answers: SortedAnswers, restarts: number, seed: number): Generator<MaceStart> {
  const { annotatorCount, labelCount } = answers
  const random = randomFrom(seed)
  const groups = groupsOf(answers)
  const byGroup = new Float64Array(annotatorCount)
  for (let i = 0; i < restarts; i += 1) {
    for (let group = 0; group < annotatorCount; group += 1) byGroup[group] = LOWEST + (HIGHEST - LOWEST) * random()
    yield {
      knowing: Float64Array.from(groups, (group) => byGroup[group]!),
      guesses: new Float64Array(annotatorCount * labelCount).fill(1 / labelCount),
    }
  }
}

/**
 * The parameters in the form that the computation uses. There is one entry for each cell, that is, for each annotator k and label
 * l. t_k is the probability that k knows the label. s_k θ_kl is the probability that k guesses l.
 * - `guessed` = ln(s_k θ_kl)
 * - `ratio` = (s_k θ_kl + t_k) / (s_k θ_kl), the factor by which the answer l makes the label l more likely than other labels
 * - `known` = t_k / (s_k θ_kl + t_k), the probability that k knows the label if l is the true label and the answer
 */
type Weights = { readonly guessed: Float64Array; readonly ratio: Float64Array; readonly known: Float64Array }

const setWeights = ({ guessed, ratio, known }: Weights, cell: number, guess: number, knowing: number): void => {
  guessed[cell] = Math.log(guess)
  ratio[cell] = 1 + knowing / guess
  known[cell] = knowing / (guess + knowing)
}

const weightsOf = ({ annotatorCount, labelCount }: SortedAnswers, { knowing, guesses }: MaceStart): Weights => {
  const cells = annotatorCount * labelCount
  const weights = { guessed: new Float64Array(cells), ratio: new Float64Array(cells), known: new Float64Array(cells) }
  for (let cell = 0; cell < cells; cell += 1) {
    const t = knowing[Math.floor(cell / labelCount)]!
    setWeights(weights, cell, (1 - t) * guesses[cell]!, t)
  }
  return weights
}

/** The likelihoods of the labels in the answers to an item. Answers with the same label are adjacent. */
type Odds = {
  /** The likelihood of each of these labels, followed by the likelihood of any other label, all divided by a common factor. */
  readonly values: Float64Array
  /** Where the answers with each of these labels end. */
  readonly ends: Int32Array
  /** Number of these labels. */
  count: number
}

/**
 * Computes Π_k ratio_kl for each label l that the item's answers name. The item's answers are those from `from` to `to`
 * (exclusive), and k runs over those that name l. For labels that no answer names, the product is 1. If there are more than `FEW`
 * answers, all products are divided by a common factor.
 * @param odds replaced with the result
 * @returns the log of the factor
 */
const multiply = (
  { cells, labels }: SortedAnswers,
  { ratio }: Weights,
  [from, to]: readonly [number, number],
  odds: Odds,
): number => {
  const areFew = to - from <= FEW
  const none = areFew ? 1 : 0
  odds.count = 0
  let value = none
  for (let i = from; i < to; i += 1) {
    if (areFew) value *= ratio[cells[i]!]!
    else value += Math.log(ratio[cells[i]!]!)
    if (i + 1 < to && labels[i + 1] === labels[i]) continue
    odds.values[odds.count] = value
    odds.ends[odds.count] = i + 1
    odds.count += 1
    value = none
  }
  odds.values[odds.count] = none
  return areFew ? 0 : toRatios(odds.values, odds.count + 1)
}

/**
 * Estimates the posterior of the true labels, T_ij ∝ Π_k (s_k θ_kl + t_k [l = j]) over the answers (k, l) to item i. Hovy et al.
 * (2013), equation 2, with a uniform prior over the labels. Labels that no answer names are all equally likely. Therefore, only
 * the likelihoods of named labels are computed, relative to the likelihood of an unnamed label.
 * @param named replaced with Σ T_il over the answers in each cell
 * @param posterior replaced with T
 * @returns the log-likelihood of the answers
 */
const expect = (answers: SortedAnswers, weights: Weights, named: Float64Array, posterior?: Float64Array): number => {
  const { starts, cells, labels, cellCounts, itemCount, labelCount } = answers
  const odds: Odds = { values: new Float64Array(labelCount + 1), ends: new Int32Array(labelCount), count: 0 }
  let likelihood = -itemCount * Math.log(labelCount)
  for (let cell = 0; cell < cellCounts.length; cell += 1) likelihood += cellCounts[cell]! * weights.guessed[cell]!
  named.fill(0)
  for (let item = 0; item < itemCount; item += 1) {
    likelihood += multiply(answers, weights, [starts[item]!, starts[item + 1]!], odds)
    const { values, ends, count } = odds
    let total = values[count]! * (labelCount - count)
    for (let n = 0; n < count; n += 1) total += values[n]!
    likelihood += Math.log(total)
    posterior?.fill(rounded(values[count]! / total), item * labelCount, (item + 1) * labelCount)
    for (let n = 0, i = starts[item]!; n < count; n += 1) {
      const probability = rounded(values[n]! / total)
      if (posterior !== undefined) posterior[item * labelCount + labels[i]!] = probability
      for (; i < ends[n]!; i += 1) named[cells[i]!]! += probability
    }
  }
  return likelihood
}

/**
 * Estimates the parameters from the probabilities that answers are known, Σ T_il · known. The parameters are exp(E[ln θ]) under
 * the variational posterior: θ_kl = exp(ψ(n_kl + 10) − ψ(Σ_l n_kl + 10 · labels)), where n_kl is the expected number of guesses.
 * t_k and s_k are computed in the same way. Hovy et al. (2013), section 3.3.
 * @param named Σ T_il over the answers in each cell
 */
const maximize = ({ cellCounts, annotatorCount, labelCount }: SortedAnswers, named: Float64Array, weights: Weights): void => {
  const guesses = new Float64Array(labelCount)
  for (let k = 0; k < annotatorCount; k += 1) {
    let [known, guessed] = [0, 0]
    for (let l = 0; l < labelCount; l += 1) {
      const cell = k * labelCount + l
      const certain = named[cell]! * weights.known[cell]!
      known += certain
      guesses[l] = cellCounts[cell]! - certain
      guessed += guesses[l]!
    }
    const all = digamma(known + guessed + 2 * KNOWING_PRIOR)
    const t = Math.exp(digamma(known + KNOWING_PRIOR) - all)
    const s = digamma(guessed + KNOWING_PRIOR) - all - digamma(guessed + GUESSES_PRIOR * labelCount)
    for (let l = 0; l < labelCount; l += 1)
      setWeights(weights, k * labelCount + l, Math.exp(digamma(guesses[l]! + GUESSES_PRIOR) + s), t)
  }
}

type Fit = { readonly weights: Weights; readonly logLikelihood: number; readonly rounds: number }

const run = (answers: SortedAnswers, start: MaceStart, options: Required<Pick<MaceOptions, 'tolerance' | 'rounds'>>): Fit => {
  const weights = weightsOf(answers, start)
  const named = new Float64Array(weights.known.length)
  let logLikelihood = expect(answers, weights, named)
  let rounds = 0
  for (let change = Infinity; rounds < options.rounds && change >= options.tolerance; rounds += 1) {
    maximize(answers, named, weights)
    const next = expect(answers, weights, named)
    change = Math.abs(next - logLikelihood)
    logLikelihood = next
  }
  return { weights, logLikelihood, rounds }
}

/**
 * Runs the computation once for each set of start parameters and returns the best fit. To save memory, keeps only the weights of
 * the best and the current fit.
 */
const bestOf = (answers: SortedAnswers, starts: Iterable<MaceStart>, options: Parameters<typeof run>[2]): Fit => {
  let best: Fit | undefined
  for (const start of starts) {
    const next = run(answers, start, options)
    if (best === undefined || next.logLikelihood > best.logLikelihood) best = next
  }
  if (best === undefined) throw new RangeError('There must be at least one start.')
  return best
}

/**
 * The true labels of items according to MACE with variational Bayes: Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning
 * Whom to Trust with MACE, NAACL-HLT. With the probability t_k, annotator k knows the label of an item and gives it. With the
 * probability s_k, the annotator guesses, and gives the label l with the probability θ_kl. All labels are equally likely at
 * first.
 *
 * `logLikelihood` is the log-likelihood of the answers, given the parameters. The parameters are expected logs, so this value can
 * decrease in a round.
 *
 * The Python library crowd-kit uses the same priors, but always 50 rounds, and all its restarts start from the same random
 * numbers. Its first guesses are random. The first guesses of this function are uniform, so that no label and no annotator is
 * preferred.
 */
export const mace = (answers: CategoricalAnswers, options: MaceOptions = {}): Aggregation => {
  const { restarts = 10, seed = 1, tolerance = 1e-6 * answers.items.length, rounds: limit = 50 } = options
  const sorted = sortAnswers(answers)
  const { itemCount, labelCount } = sorted
  const starts = options.starts ?? randomStarts(sorted, restarts, seed)
  const { weights, logLikelihood, rounds } = bestOf(sorted, starts, { tolerance, rounds: limit })
  const posterior = new Float64Array(itemCount * labelCount)
  expect(sorted, weights, new Float64Array(weights.known.length), posterior)
  return { posterior, entropy: entropyOf(sorted, posterior), accuracy: accuracyOf(sorted, posterior), logLikelihood, rounds }
}
