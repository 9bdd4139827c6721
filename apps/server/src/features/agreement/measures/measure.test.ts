import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '#platform/random.ts'
import { tauB } from '#question-types/similarity.ts'
import { alphaOf, coincidencesOf } from './alpha.ts'
import { answersOf, type Entry, signaturesOf } from './answers.ts'
import { binomial } from './binomial.ts'
import { gwet, quadratic } from './chance.ts'
import { interval, jaccard, type Metric, masi, nominal, ordinal } from './distances.ts'
import { type MeasureInput, measure } from './measure.ts'
import { kendallW } from './rankings.ts'
import { LabelSets, segmentsOf } from './segments.ts'
import { matchSpans } from './span-matches.ts'
import { anyEntries } from './testing/arbitraries.ts'
import { editSimilarity } from './texts.ts'

/** The example in Krippendorff (2011) with four raters and twelve units. A dot is a missing answer. */
const ROWS = ['123321412...', '1233224125.3', '.3332342251.', '12332441251.']
const example = ROWS.flatMap((row, rater) =>
  [...row].flatMap((value, unit): Entry[] => (value === '.' ? [] : [{ unit, rater, value: Number(value) - 1 }])),
)
const SCALE = [1, 2, 3, 4, 5]
const alpha = (entries: readonly Entry[], values: number, metric: Metric): number | null =>
  alphaOf(coincidencesOf(signaturesOf(answersOf(entries), values), values), metric).alpha.value

/**
 * α computed from its definition: 1 minus the ratio of the mean distance between answers to the same unit to the mean distance
 * between all pairable answers.
 */
const recounted = (entries: readonly Entry[], values: number, metric: Metric): number | null => {
  const units = [...Map.groupBy(entries, ({ unit }) => unit).values()].filter((unit) => unit.length >= 2)
  const pairable = units.flat()
  const counts = Array.from({ length: values }, (_, c) => pairable.filter(({ value }) => value === c).length)
  const distance = metric(counts)
  let [observed, expected] = [0, 0]
  for (const unit of units)
    for (const a of unit) for (const b of unit) if (a !== b) observed += distance(a.value, b.value) / (unit.length - 1)
  for (const a of pairable) for (const b of pairable) if (a !== b) expected += distance(a.value, b.value)
  const n = pairable.length
  return expected === 0 ? null : 1 - observed / n / (expected / (n * (n - 1)))
}

describe('golden values', () => {
  it("of Krippendorff's example", () => {
    expect(alpha(example, 5, nominal)).toBeCloseTo(0.743421052631579, 14)
    expect(alpha(example, 5, ordinal)).toBeCloseTo(0.8153875037548814, 14)
    expect(alpha(example, 5, interval(SCALE))).toBeCloseTo(0.8491071428571428, 14)
    const ratio: Metric = () => (c, k) => ((SCALE[c]! - SCALE[k]!) / (SCALE[c]! + SCALE[k]!)) ** 2
    expect(alpha(example, 5, ratio)).toBeCloseTo(0.7974027747116121, 14)
    const signatures = signaturesOf(answersOf(example), 5)
    expect(gwet(signatures, 5).value).toBeCloseTo(0.775444, 6)
    expect(gwet(signatures, 5, quadratic(SCALE)).value).toBeCloseTo(0.914001, 6)
  })

  it('of sets', () => {
    const sets = [[0, 1], [0], [1], [2], [0, 2], [0, 1, 2], [1, 2]]
    const given = [
      [0, 3, 5],
      [1, 3, 6],
      [2, 4],
    ]
    const entries = given.flatMap((values, rater) => values.map((value, unit): Entry => ({ unit, rater, value })))
    expect(alpha(entries, sets.length, jaccard(sets))).toBeCloseTo(0.3125, 14)
    expect(alpha(entries, sets.length, masi(sets))).toBeCloseTo(0.232142857142857, 14)
  })

  it('of rankings', () => {
    expect(tauB([1, 2, 2, 4], [1, 3, 2, 4])).toBeCloseTo(0.912870929175277, 14)
    const rankings = [
      [1, 2, 3, 4],
      [1, 3, 2, 4],
      [2, 1, 3, 4],
    ]
    expect(kendallW(rankings)).toBeCloseTo(7 / 9, 14)
    expect(tauB([1, 1, 1], [1, 2, 3])).toBeNull()
    expect(
      kendallW([
        [1, 1],
        [1, 1],
      ]),
    ).toBeNull()
  })
})

const sameAlpha = (a: number | null, b: number | null): void => {
  if (a === null || b === null) expect(a).toBe(b)
  else expect(a).toBeCloseTo(b, 10)
}

describe('alpha', () => {
  const sets = [[], [0], [1], [0, 1], [0, 1, 2]]
  const metrics = { nominal, ordinal, interval: interval([0, 1, 3, 7, 10]), jaccard: jaccard(sets), masi: masi(sets) }
  it.each(Object.entries(metrics))('%s equals a recount from its definition', (_, metric) => {
    fc.assert(
      fc.property(anyEntries(5), (entries) => sameAlpha(alpha(entries, 5, metric), recounted(entries, 5, metric))),
      { numRuns: 60 },
    )
  })

  it('is observed agreement, corrected for expected agreement', () => {
    fc.assert(
      fc.property(anyEntries(5), (entries) => {
        const found = alphaOf(coincidencesOf(signaturesOf(answersOf(entries), 5), 5), ordinal)
        const { observed, expected } = found
        sameAlpha(found.alpha.value, observed === null || expected === null ? null : (observed - expected) / (1 - expected))
      }),
      { numRuns: 40 },
    )
  })
})

const labels = ['a', 'b', 'c']
const spanValues = [
  [],
  [{ label: 'a', start: 0, end: 4 }],
  [{ label: 'b', start: 2, end: 9 }],
  [
    { label: 'a', start: 0, end: 4 },
    { label: 'b', start: 2, end: 6 },
    { label: 'a', start: 3, end: 4 },
  ],
]
const rest = [
  { kind: 'categories', labels: 4 },
  { kind: 'scale', scale: [0, 1, 5, 10] },
  { kind: 'sets', labels: 3, sets: [[0], [1], [0, 1], [0, 1, 2]] },
  {
    kind: 'rankings',
    rankings: [
      [1, 2, 3],
      [1, 1, 2],
      [3, 2, 1],
      [1, 1, 1],
    ],
  },
  { kind: 'spans', spans: spanValues, labels, lengths: new Array<number>(8).fill(12) },
  { kind: 'texts', texts: ['', 'one', 'two', 'once'] },
] as const
const inputOf = (entries: readonly Entry[], kind: (typeof rest)[number]): MeasureInput => ({
  ...kind,
  answers: answersOf(entries),
  raters: 5,
})

/** Rounds numbers, because summing the same numbers in a different order changes the last digits. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'number' ? Math.round(inner * 1e9) / 1e9 + 0 : inner)),
  )

describe('a report', () => {
  it.each(rest.map((kind) => [kind.kind, kind] as const))('on %s is the same for any order of answers and raters', (_, kind) => {
    fc.assert(
      fc.property(anyEntries(4), fc.nat(4), (entries, shift) => {
        const first = measure(inputOf(entries, kind))
        const moved = entries.map((one) => ({ ...one, rater: (one.rater + shift) % 5 })).reverse()
        const second = measure(inputOf(moved, kind))
        const plain = ({ pairs, ...report }: typeof first) => ({ ...report, distance: pairs.meanDistance, units: report.units })
        expect(rounded(plain(second))).toEqual(rounded(plain(first)))
        const ofRater = (report: typeof first, rater: number) => report.pairs.raters[rater]
        for (let rater = 0; rater < 5; rater += 1) {
          const { rater: _a, ...a } = ofRater(first, rater)!
          const { rater: _b, ...b } = ofRater(second, (rater + shift) % 5)!
          expect(rounded(b)).toEqual(rounded(a))
        }
      }),
      { numRuns: 15 },
    )
  })

  it.each(rest.map((kind) => [kind.kind, kind] as const))('on %s is never NaN, and null only with a reason', (_, kind) => {
    fc.assert(
      fc.property(anyEntries(4), (entries) => {
        const report = measure(inputOf(entries, kind))
        for (const { value, reason } of [...(report.measure === null ? [] : [report]), ...report.secondary])
          expect(value === null ? typeof reason : Number.isFinite(value) && reason === null).toBe(
            value === null ? 'string' : true,
          )
        if (report.interval !== null && report.value !== null) expect(report.interval[0]).toBeLessThanOrEqual(report.interval[1])
        expect(report.units + report.unitsSingle).toBe(new Set(entries.map(({ unit }) => unit)).size)
      }),
      { numRuns: 15 },
    )
  })

  it('names the reason why nothing can be said', () => {
    const reasonOf = (entries: readonly Entry[]) => measure(inputOf(entries, rest[0])).reason
    const at = (unit: number, rater: number, value = 0) => ({ unit, rater, value })
    expect(reasonOf([])).toBe('no_overlap')
    expect(reasonOf([at(0, 1), at(1, 1)])).toBe('one_annotator')
    expect(reasonOf([at(0, 1), at(1, 2)])).toBe('no_overlap')
    expect(reasonOf([at(0, 1), at(0, 2)])).toBe('no_variation')
    expect(reasonOf([at(0, 1), at(0, 2, 1)])).toBeNull()
    expect(measure(inputOf([at(0, 1), at(0, 2)], rest[5]))).toMatchObject({ measure: null, value: null, reason: null })
  })

  it('lists the pairs with the most shared units first, and counts the others', () => {
    const { pairs } = measure({ kind: 'categories', labels: 5, answers: answersOf(example), raters: 4 })
    expect(pairs.pairs.map(({ a, b, units }) => [a, b, units])).toEqual(
      [
        [1, 3, 10],
        [0, 1, 9],
        [0, 3, 9],
        [1, 2, 9],
        [2, 3, 10],
        [0, 2, 8],
      ].sort(([, , x], [, , y]) => y! - x!),
    )
    expect(pairs.leftOut).toBe(0)
  })

  it('has an interval that covers the value and narrows with more units', () => {
    const repeated = (times: number) =>
      Array.from({ length: times }, (_, i) => example.map((one) => ({ ...one, unit: one.unit + 12 * i }))).flat()
    const [few, many] = [1, 50].map((times) =>
      measure({ kind: 'scale', scale: SCALE, answers: answersOf(repeated(times)), raters: 4 }),
    )
    for (const report of [few!, many!]) {
      expect(report.interval![0]).toBeLessThan(report.value!)
      expect(report.interval![1]).toBeGreaterThan(report.value!)
    }
    const width = (report: typeof few) => report!.interval![1] - report!.interval![0]
    expect(width(many) / width(few)).toBeLessThan(0.3)
    expect(width(many) / width(few)).toBeGreaterThan(0.07)
  })
})

describe('spans', () => {
  it('count as the characters that they cover, one by one', () => {
    const anySpan = fc
      .tuple(fc.constantFrom(...labels), fc.nat(15), fc.integer({ min: 1, max: 6 }))
      .map(([label, start, size]) => ({ label, start, end: start + size }))
    const anyAnswers = fc.array(fc.array(anySpan, { maxLength: 5 }), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(anyAnswers, { minLength: 1, maxLength: 3 }), (units) => {
        const spans = units.flat()
        const entries = units.flatMap((lists, unit) =>
          lists.map((list, rater): Entry => ({ unit, rater, value: spans.indexOf(list) })),
        )
        const report = measure({
          kind: 'spans',
          spans,
          labels,
          lengths: units.map(() => 25),
          answers: answersOf(entries),
          raters: 4,
        })
        const sets = new LabelSets()
        const letters = units.flatMap((lists, unit) =>
          Array.from({ length: 25 }, (_, at) =>
            lists.map((list, rater): Entry => {
              const covering = list.filter(({ start, end }) => start <= at && at < end).map(({ label }) => labels.indexOf(label))
              return { unit: unit * 25 + at, rater, value: sets.indexOf([...new Set(covering)].sort()) }
            }),
          ).flat(),
        )
        sameAlpha(report.value, alpha(letters, sets.sets.length, jaccard(sets.sets)))
      }),
      { numRuns: 60 },
    )
  })

  it('are cut at every boundary', () => {
    const segments = segmentsOf([[{ label: 'a', start: 2, end: 5 }], []], 9, () => 0, new LabelSets())
    expect(segments.map(({ sets, length }) => [[...sets], length])).toEqual([
      [[0, 0], 2],
      [[0, 1], 3],
      [[0, 0], 4],
    ])
  })

  it('are assigned so that most match', () => {
    const at = (start: number, end: number, label = 'a') => ({ label, start, end })
    // Span 0–10 fits both spans of the second list, and span 0–5 fits only span 0–7. Both are matched only if span 0–10 is
    // matched with span 2–12.
    expect(matchSpans([at(0, 10), at(0, 5)], [at(0, 7), at(2, 12)])).toMatchObject({ overlapping: 2, exact: 0, spans: 4 })
    expect(matchSpans([at(0, 4), at(0, 4)], [at(0, 4)])).toEqual({ spans: 3, exact: 1, overlapping: 1, unlabeled: 1 })
    expect(matchSpans([at(0, 4)], [at(0, 4, 'b')])).toEqual({ spans: 2, exact: 0, overlapping: 0, unlabeled: 1 })
    expect(matchSpans([at(0, 4)], [at(2, 6)])).toMatchObject({ overlapping: 0 })
    expect(matchSpans([at(0, 4)], [at(2, 4)])).toMatchObject({ overlapping: 1 })
  })
})

/** The Levenshtein distance by its definition. */
const levenshtein = (a: readonly string[], b: readonly string[]): number => {
  let row = b.map((_, j) => j + 1)
  a.forEach((x, i) => {
    const next: number[] = []
    b.forEach((y, j) => {
      const [left, above, diagonal] = [next[j - 1] ?? i + 1, row[j]!, j === 0 ? i : row[j - 1]!]
      next.push(Math.min(left + 1, above + 1, diagonal + (x === y ? 0 : 1)))
    })
    row = next
  })
  return row.at(-1) ?? a.length
}

describe('edit similarity', () => {
  it('equals the definition, in code points', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '😀', 'é'), maxLength: 90 })
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [x, y] = [[...a], [...b]]
        const longest = Math.max(x.length, y.length)
        expect(editSimilarity(a, b)).toBeCloseTo(longest === 0 ? 1 : 1 - levenshtein(x, y) / longest, 12)
      }),
      { numRuns: 150 },
    )
  })
})

describe('random numbers of successes', () => {
  it.each([
    [5, 0.3],
    [40, 0.1],
    [300, 0.4],
    [100_000, 0.9],
    [3_000_000, 0.0001],
  ])('of %i trials with the probability %d have the mean and the variance of the binomial distribution', (n, p) => {
    const random = randomFrom(1)
    const drawn = Array.from({ length: 4000 }, () => binomial(n, p, random))
    const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length
    const variance = drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / drawn.length
    expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt((n * p * (1 - p)) / drawn.length))
    expect(variance / (n * p * (1 - p))).toBeGreaterThan(0.9)
    expect(variance / (n * p * (1 - p))).toBeLessThan(1.1)
    expect(drawn.every((one) => Number.isInteger(one) && one >= 0 && one <= n)).toBe(true)
  })
})
