import type { MeasureName, UndefinedReason } from '@postil/contract/agreement.ts'
import type { Span } from '@postil/contract/answer-value.ts'
import { jaccardSimilarity, rankingSimilarity, spanF1 } from '#question-types/similarity.ts'
import { type Alpha, alphaOf, alphaPerLabel, coincidencesOf, type LabelAlpha } from './alpha.ts'
import { type Answers, absenceIn, type Signature, SignatureCounter, signaturesOf, unitCount } from './answers.ts'
import type { Interval } from './bootstrap.ts'
import { gwet, identity, observedAgreement, quadratic } from './chance.ts'
import { interval, jaccard, masi, nominal, ordinal, treePath, withAncestors } from './distances.ts'
import { alphaInterval, meanInterval, ordinalInterval } from './intervals.ts'
import { defined, type Measured, undefinedBecause } from './measured.ts'
import { comparePairs, type PairOptions, type PairReport } from './pairs.ts'
import { compareRankings } from './rankings.ts'
import { segmentUnits } from './segments.ts'
import { matchSpans } from './span-matches.ts'
import { meanEditSimilarity } from './texts.ts'

/**
 * The answers to one question, and a description of its distinct values.
 * - `raters`: the number of people
 * - `labels`: the number of labels
 * - `reference`: for each unit, a value with which the unit's answers are also compared, such as the final answer; −1 if the unit
 *   has no such value
 */
export type MeasureInput = {
  readonly answers: Answers
  readonly raters: number
  readonly reference?: Int32Array | undefined
} /** `paths` is set if the labels form a tree. For each label, it contains the label itself and all labels above it, starting at the top. */ & (
  | { readonly kind: 'categories'; readonly labels: number; readonly paths?: readonly (readonly number[])[] }
  | { readonly kind: 'scale'; readonly scale: readonly number[] }
  | {
      readonly kind: 'sets'
      readonly labels: number
      readonly sets: readonly (readonly number[])[]
      readonly paths?: readonly (readonly number[])[]
    }
  /** One list for each ranking that a person gave: the rank of each option. All lists have the options in the same order. */
  | { readonly kind: 'rankings'; readonly rankings: readonly (readonly number[])[] }
  | {
      readonly kind: 'spans'
      readonly spans: readonly (readonly Span[])[]
      readonly labels: readonly string[]
      /** Number of code points of each unit's text. */
      readonly lengths: ArrayLike<number>
    }
  /** `values`: the number of distinct values. */
  | { readonly kind: 'choices'; readonly values: number }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
)
type Kind = MeasureInput['kind']
type InputOf<K extends Kind> = Extract<MeasureInput, { readonly kind: K }>

type Secondary = { readonly measure: MeasureName } & Measured

export type Measures = {
  readonly measure: MeasureName | null
  readonly value: number | null
  readonly reason: UndefinedReason | null
  readonly interval: Interval | null
  readonly observed: number | null
  readonly expected: number | null
  readonly units: number
  readonly unitsSingle: number
  readonly answers: number
  readonly secondary: readonly Secondary[]
  /** One entry per label. Empty if the question has no labels. */
  readonly labels: readonly LabelAlpha[]
  readonly pairs: PairReport
}

/** Maximum number of pairs of raters in a report. */
const MAX_PAIRS = 10_000

/** The parts of a report that depend on the kind of answers. */
type Found = {
  readonly headline: { readonly measure: MeasureName; readonly interval: Interval | null } & Alpha
  readonly secondary: readonly Secondary[]
  readonly labels: readonly LabelAlpha[]
  readonly pairs: PairReport
}

const shared = (signatures: readonly Signature[]): Signature[] => signatures.filter(({ raters }) => raters >= 2)
/** The signatures as units with one part each. */
const asUnits = (signatures: readonly Signature[]) =>
  signatures.map((signature) => ({ units: signature.units, parts: [{ ...signature, units: 1 }] }))
const orUndefined = (value: number | null): Measured => (value === null ? undefinedBecause('no_overlap') : defined(value))
const mean = (values: readonly number[]): Measured =>
  values.length === 0 ? undefinedBecause('no_variation') : defined(values.reduce((sum, one) => sum + one, 0) / values.length)

const compare = ({ answers, raters, reference }: MeasureInput, options: Omit<PairOptions, 'most' | 'reference'>): PairReport =>
  comparePairs(answers, raters, { ...options, reference, most: MAX_PAIRS })

const equality = (c: number, k: number): number => (c === k ? 1 : 0)

const measureCategories = (input: InputOf<'categories'>): Found => {
  const { answers, labels, paths } = input
  const signatures = signaturesOf(answers, labels)
  const coincidences = coincidencesOf(signatures, labels)
  return {
    headline: {
      measure: 'alpha_nominal',
      ...alphaOf(coincidences, nominal),
      interval: alphaInterval(asUnits(shared(signatures)), nominal),
    },
    secondary: [
      ...(paths === undefined ? [] : [{ measure: 'alpha_tree', ...alphaOf(coincidences, treePath(paths)).alpha } as const]),
      { measure: 'percent_agreement', ...orUndefined(observedAgreement(signatures)) },
      { measure: 'gwet_ac1', ...gwet(signatures, labels) },
    ],
    labels: alphaPerLabel(signatures, labels, (value) => [value]),
    pairs: compare(input, { similarity: equality, kappa: { values: labels, distance: nominal([]) } }),
  }
}

const measureScale = (input: InputOf<'scale'>): Found => {
  const { answers, scale } = input
  const signatures = signaturesOf(answers, scale.length)
  const coincidences = coincidencesOf(signatures, scale.length)
  const squared = interval(scale)
  const range = Math.max(...scale) - Math.min(...scale)
  const difference = (c: number, k: number) => Math.abs(scale[c]! - scale[k]!)
  const pairs = compare(input, {
    similarity: (c, k) => (range === 0 ? 1 : 1 - difference(c, k) / range),
    kappa: { values: scale.length, distance: squared([]) },
    distance: difference,
  })
  return {
    headline: {
      measure: 'alpha_ordinal',
      ...alphaOf(coincidences, ordinal),
      interval: ordinalInterval(shared(signatures), ordinal),
    },
    secondary: [
      { measure: 'alpha_interval', ...alphaOf(coincidences, squared).alpha },
      { measure: 'percent_agreement', ...orUndefined(observedAgreement(signatures, identity)) },
      { measure: 'gwet_ac2', ...gwet(signatures, scale.length, quadratic(scale)) },
      { measure: 'mean_absolute_difference', ...orUndefined(pairs.meanDistance) },
    ],
    labels: [],
    pairs,
  }
}

const measureSets = (input: InputOf<'sets'>): Found => {
  const { answers, sets, labels, paths } = input
  const signatures = signaturesOf(answers, sets.length)
  const coincidences = coincidencesOf(signatures, sets.length)
  return {
    headline: {
      measure: 'alpha_jaccard',
      ...alphaOf(coincidences, jaccard(sets)),
      interval: alphaInterval(asUnits(shared(signatures)), jaccard(sets)),
    },
    secondary: [
      ...(paths === undefined
        ? []
        : [{ measure: 'alpha_tree', ...alphaOf(coincidences, jaccard(withAncestors(sets, paths))).alpha } as const]),
      { measure: 'alpha_masi', ...alphaOf(coincidences, masi(sets)).alpha },
      { measure: 'equal_share', ...orUndefined(observedAgreement(signatures)) },
    ],
    labels: alphaPerLabel(signatures, labels, (value) => sets[value]!),
    pairs: compare(input, { similarity: (c, k) => jaccardSimilarity(sets[c]!, sets[k]!) }),
  }
}

/** Replaces each ranking with a number. Rankings with the same set of top options get the same number. */
const firstPlaces = (rankings: readonly (readonly number[])[]): { readonly values: number[]; readonly count: number } => {
  const known = new Map<string, number>()
  const values = rankings.map((ranks) => {
    const best = Math.min(...ranks)
    const key = ranks.flatMap((rank, option) => (rank === best ? [option] : [])).join(' ')
    const value = known.get(key) ?? known.size
    known.set(key, value)
    return value
  })
  return { values, count: known.size }
}

const measureRankings = (input: InputOf<'rankings'>): Found => {
  const { answers, rankings } = input
  const { taus, concordances } = compareRankings(answers, rankings)
  const tau = mean(taus)
  const first = firstPlaces(rankings)
  const firstAnswers = { ...answers, values: answers.values.map((value) => first.values[value]!) }
  const firstSignatures = signaturesOf(firstAnswers, first.count)
  return {
    headline: {
      measure: 'tau_b',
      alpha: tau,
      observed: tau.value === null ? null : (1 + tau.value) / 2,
      expected: tau.value === null ? null : 0.5,
      interval: meanInterval(taus),
    },
    secondary: [
      { measure: 'kendall_w', ...mean(concordances) },
      { measure: 'alpha_nominal_first', ...alphaOf(coincidencesOf(firstSignatures, first.count), nominal).alpha },
    ],
    labels: [],
    pairs: compare(input, { similarity: (c, k) => (c === k ? 1 : rankingSimilarity(rankings[c]!, rankings[k]!)) }),
  }
}

const measureSpans = (input: InputOf<'spans'>): Found => {
  const { answers, spans, labels, lengths } = input
  const indexes = new Map(labels.map((label, i) => [label, i]))
  const { units, sets } = segmentUnits(answers, spans, lengths, (label) => indexes.get(label) ?? 0)
  const all = new SignatureCounter(sets.length)
  const parts = units.map((segments) => {
    const inUnit = new SignatureCounter(sets.length)
    for (const segment of segments) {
      all.add(segment.sets, segment.length)
      inUnit.add(segment.sets, segment.length)
    }
    return { units: 1, parts: inUnit.signatures() }
  })
  const signatures = all.signatures()
  const sum = { spans: 0, exact: 0, overlapping: 0, unlabeled: 0 }
  const pairs = compare(input, {
    // `compare` calls this function exactly once for each pair of answers. It can therefore also add the pair's matches to `sum`.
    similarity: (c, k) => {
      const found = matchSpans(spans[c]!, spans[k]!)
      for (const key of ['spans', 'exact', 'overlapping', 'unlabeled'] as const) sum[key] += found[key]
      return spanF1(found.spans, found.exact)
    },
    similarityToReference: (c, k) => {
      const found = matchSpans(spans[c]!, spans[k]!)
      return spanF1(found.spans, found.exact)
    },
  })
  const f1 = (matches: number): Measured =>
    sum.spans === 0 ? undefinedBecause('no_variation') : defined(spanF1(sum.spans, matches))
  const counts = new Array<number>(labels.length).fill(0)
  for (const value of answers.values) for (const { label } of spans[value]!) counts[indexes.get(label) ?? 0]! += 1
  return {
    headline: {
      measure: 'alpha_spans',
      ...alphaOf(coincidencesOf(signatures, sets.length), jaccard(sets)),
      interval: alphaInterval(parts, jaccard(sets)),
    },
    secondary: [
      { measure: 'f1_exact', ...f1(sum.exact) },
      { measure: 'f1_overlap', ...f1(sum.overlapping) },
      {
        measure: 'label_agreement',
        ...(sum.unlabeled === 0 ? undefinedBecause('no_overlap') : defined(sum.overlapping / sum.unlabeled)),
      },
    ],
    labels: alphaPerLabel(signatures, labels.length, (value) => sets[value]!).map(({ alpha }, i) => ({
      alpha,
      count: counts[i]!,
    })),
    pairs,
  }
}

/**
 * The options differ between records. Therefore, no labels are reported, and chance agreement is computed from the values of all
 * records together.
 */
const measureChoices = (input: InputOf<'choices'>): Found => {
  const signatures = signaturesOf(input.answers, input.values)
  return {
    headline: {
      measure: 'alpha_nominal',
      ...alphaOf(coincidencesOf(signatures, input.values), nominal),
      interval: alphaInterval(asUnits(shared(signatures)), nominal),
    },
    secondary: [{ measure: 'percent_agreement', ...orUndefined(observedAgreement(signatures)) }],
    labels: [],
    pairs: compare(input, { similarity: equality }),
  }
}

const measureTexts = (input: InputOf<'texts'>): Omit<Found, 'headline'> => {
  const { answers, texts } = input
  return {
    secondary: [
      { measure: 'equal_share', ...orUndefined(observedAgreement(signaturesOf(answers, texts.length))) },
      { measure: 'edit_similarity', ...meanEditSimilarity(answers, texts) },
    ],
    labels: [],
    pairs: compare(input, { similarity: equality }),
  }
}

const found = (input: MeasureInput): Omit<Found, 'headline'> & { readonly headline?: Found['headline'] } => {
  if (input.kind === 'categories') return measureCategories(input)
  if (input.kind === 'scale') return measureScale(input)
  if (input.kind === 'sets') return measureSets(input)
  if (input.kind === 'rankings') return measureRankings(input)
  if (input.kind === 'choices') return measureChoices(input)
  return input.kind === 'spans' ? measureSpans(input) : measureTexts(input)
}

/** All coefficients of one question. */
export const measure = (input: MeasureInput): Measures => {
  const { answers } = input
  const { headline, secondary, labels, pairs } = found(input)
  const absence = absenceIn(answers)
  let unitsSingle = 0
  for (let i = 1; i < answers.starts.length; i += 1) if (answers.starts[i]! - answers.starts[i - 1]! === 1) unitsSingle += 1
  const without = (one: Measured): Measured => (absence === null ? one : undefinedBecause(absence))
  const { value, reason } = headline === undefined ? { value: null, reason: absence } : without(headline.alpha)
  return {
    measure: headline?.measure ?? null,
    value,
    reason,
    interval: value === null ? null : (headline?.interval ?? null),
    observed: headline?.observed ?? null,
    expected: headline?.expected ?? null,
    units: unitCount(answers) - unitsSingle,
    unitsSingle,
    answers: answers.values.length,
    secondary: secondary.map(({ measure: name, ...one }) => ({ measure: name, ...without(one) })),
    labels: labels.map(({ alpha, count }) => ({ alpha: without(alpha), count })),
    pairs,
  }
}
