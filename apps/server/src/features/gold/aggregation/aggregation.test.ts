import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_NUMBERS } from './answers.ts'
import { dawidSkene } from './dawid-skene.ts'
import { digamma } from './digamma.ts'
import { mace } from './mace.ts'
import { type Aggregation, likeliestLabels } from './posterior.ts'
import { ANNOTATORS, answersOf, anyMirroredRows, anyRows, LABELS, type Row, rowsOf } from './testing/answers.ts'

const rules = [
  ['Dawid and Skene', dawidSkene],
  ['MACE', mace],
] as const

const probabilities = ({ posterior }: Aggregation, item: number, labels: number): number[] => [
  ...posterior.subarray(item * labels, (item + 1) * labels),
]
const close = (found: ArrayLike<number>, wanted: ArrayLike<number>, digits = 9): void => {
  expect(found.length).toBe(wanted.length)
  for (let i = 0; i < found.length; i += 1) expect(found[i]).toBeCloseTo(wanted[i]!, digits)
}

/**
 * The answers of five anaesthetists about 45 patients. The first anaesthetist answered three times. Dawid and Skene (1979), table
 * 1.
 */
const ANAESTHETISTS = `1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343
1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111
1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111
2222222`

const patients = ANAESTHETISTS.split(/\s/).flatMap((digits, item) =>
  [...digits].map((digit, i): Row => ({ item, annotator: Math.max(0, i - 2), label: Number(digit) - 1 })),
)

describe('Dawid and Skene', () => {
  it('finds the shares of labels in the published example', () => {
    const { posterior } = dawidSkene(answersOf(patients), { smoothing: 1e-10 })
    const shares = [0, 1, 2, 3].map((label) => posterior.reduce((sum, p, at) => sum + (at % 4 === label ? p : 0), 0) / 45)
    close(shares, [0.4, 0.42, 0.11, 0.07], 2)
  })

  it('computes one round as by hand', () => {
    // The first posterior is (1, 0) and (1/2, 1/2). Smoothed by 1, the prior is (5/8, 3/8). If the label is 0, the probability
    // that A gives 0 is (3/2 + 1)/(3/2 + 2) = 5/7, and that B gives 0 is 2/(3/2 + 2) = 4/7. If the label is 1, the probability
    // that A gives 0 is (1/2 + 1)/(1/2 + 2) = 3/5, and that B gives 0 is 1/(1/2 + 2) = 2/5.
    const found = dawidSkene(answersOf(rowsOf(['00', '01'])), { smoothing: 1, rounds: 1 })
    const first = [(5 / 8) * (5 / 7) * (4 / 7), (3 / 8) * (3 / 5) * (2 / 5)] as const
    const second = [(5 / 8) * (5 / 7) * (3 / 7), (3 / 8) * (3 / 5) * (3 / 5)] as const
    const [p, q] = [first[0] / (first[0] + first[1]), second[0] / (second[0] + second[1])]
    close(found.posterior, [p, 1 - p, q, 1 - q])
    close(found.accuracy, [(p + q) / 2, (p + 1 - q) / 2])
    const entropy = (x: number): number => -x * Math.log(x) - (1 - x) * Math.log(1 - x)
    close(found.entropy, [entropy(p), entropy(q)])
    const logs = [5 / 8, 3 / 8, 5 / 7, 2 / 7, 3 / 5, 2 / 5, 4 / 7, 3 / 7, 2 / 5, 3 / 5].reduce((sum, x) => sum + Math.log(x), 0)
    expect(found.logLikelihood).toBeCloseTo(Math.log(first[0] + first[1]) + Math.log(second[0] + second[1]) + logs, 12)
    expect(found.rounds).toBe(1)
  })

  it('never makes the likelihood smaller', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const after = Array.from({ length: 12 }, (_, i) => dawidSkene(answersOf(rows, LABELS), { rounds: i + 1 }).logLikelihood)
        for (let i = 1; i < after.length; i += 1) expect(after[i]).toBeGreaterThan(after[i - 1]! - 1e-8)
      }),
      { numRuns: scaled(20, 60) },
    )
  })

  it('believes the annotator who is consistent with others', () => {
    // The third annotator swaps the labels. The true label, which is the opposite of this annotator's answer, is found even for
    // items that only this annotator has answered.
    const rows = rowsOf(['001', '110', '001', '110', '001', '110', '0.1', '.10', '..1', '..0'])
    expect([...likeliestLabels(dawidSkene(answersOf(rows)).posterior, 2)]).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
  })

  it('refuses smoothing that rules labels out', () => {
    expect(() => dawidSkene(answersOf(rowsOf(['0'])), { smoothing: 0 })).toThrow(
      new RangeError('The smoothing or the floor must be at least 1e-10.'),
    )
  })

  it('refuses error tables that are too large', () => {
    const answers = answersOf([{ item: 0, annotator: 0, label: 0 }], 20_000)
    expect(() => dawidSkene(answers)).toThrow(
      new RangeError(
        `Error tables of 1 annotators with 20000 × 20000 labels are 400000000 numbers. The maximum is ${MAX_NUMBERS}.`,
      ),
    )
  })
})

describe('MACE', () => {
  const answer = answersOf(rowsOf(['0']), 2)
  const starts = [{ knowing: Float64Array.of(0.5), guesses: Float64Array.of(0.5, 0.5) }]

  it('computes the first posterior as by hand', () => {
    // The annotator knows the label with the probability 1/2 and otherwise guesses, so each guess has the probability 1/4. The
    // answer 0 therefore has the probability 1/2 + 1/4 = 3/4 if the correct label is 0, and 1/4 if it is 1.
    const found = mace(answer, { starts, rounds: 0 })
    close(found.posterior, [3 / 4, 1 / 4])
    expect(found.logLikelihood).toBeCloseTo(Math.log((3 / 4 + 1 / 4) / 2), 12)
    expect(found.rounds).toBe(0)
  })

  it('computes one round as by hand', () => {
    // The answer is known with the probability 3/4 · (1/2)/(3/4) = 1/2. Knowing and guessing therefore both have the weight
    // exp(ψ(1) − ψ(2)) = 1/e, and the guess 0 has θ = exp(ψ(10.5) − ψ(20.5)), where ψ(x + 1) = ψ(x) + 1/x.
    const theta = Math.exp(-Array.from({ length: 10 }, (_, i) => 1 / (10.5 + i)).reduce((sum, one) => sum + one, 0))
    const found = mace(answer, { starts, rounds: 1 })
    close(found.posterior, [(theta + 1) / (2 * theta + 1), theta / (2 * theta + 1)])
    close(found.accuracy, [(theta + 1) / (2 * theta + 1)])
    expect(found.logLikelihood).toBeCloseTo(Math.log((2 * theta + 1) / Math.E / 2), 12)
  })

  it('keeps the start with the highest likelihood', () => {
    fc.assert(
      fc.property(anyRows, fc.integer(), (rows, seed) => {
        const answers = answersOf(rows, LABELS)
        const best = mace(answers, { seed })
        const fewer = [1, 2, 5].map((restarts) => mace(answers, { seed, restarts }).logLikelihood)
        for (const one of fewer) expect(best.logLikelihood).toBeGreaterThanOrEqual(one)
        expect(mace(answers, { seed })).toEqual(best)
      }),
      { numRuns: scaled(13, 40) },
    )
  })

  it('does not believe an annotator who always gives the same label', () => {
    const rows = rowsOf(['110', '220', '110', '220', '110', '220', '000', '1.0', '.20'])
    const { posterior, accuracy } = mace(answersOf(rows))
    expect([...likeliestLabels(posterior, LABELS)]).toEqual([1, 2, 1, 2, 1, 2, 0, 1, 2])
    expect(accuracy[2]).toBeLessThan(0.2)
    expect(accuracy[0]).toBeGreaterThan(0.9)
  })

  it('refuses to compute without a start', () => {
    expect(() => mace(answer, { restarts: 0 })).toThrow(new RangeError('There must be at least one start.'))
  })
})

describe.each(rules)('%s', (_, aggregate) => {
  it('gives probabilities', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const answers = answersOf(rows, LABELS)
        const found = aggregate(answers)
        for (let item = 0; item < answers.itemCount; item += 1) {
          const all = probabilities(found, item, LABELS)
          expect(Math.min(...all)).toBeGreaterThanOrEqual(0)
          expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 8)
        }
        for (const one of found.entropy) expect(one).toBeLessThan(Math.log(LABELS) + 1e-9)
        for (const one of found.accuracy) expect(Number.isNaN(one) || (one >= 0 && one <= 1)).toBe(true)
      }),
      { numRuns: scaled(20, 60) },
    )
  })

  it('gives the same result for any order of the answers', () => {
    fc.assert(
      fc.property(
        anyRows.chain((rows) =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
        ),
        ([rows, shuffled]) => {
          expect(aggregate(answersOf(shuffled, LABELS))).toEqual(aggregate(answersOf(rows, LABELS)))
        },
      ),
      { numRuns: scaled(20, 60) },
    )
  })

  it('gives the same result for any numbering of items, annotators and labels', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 2 }), (rows, shift) => {
        const answers = answersOf(rows, LABELS, ANNOTATORS)
        const last = answers.itemCount - 1
        const turned = rows.map(({ item, annotator, label }) => ({
          item: last - item,
          annotator: ANNOTATORS - 1 - annotator,
          label: (label + shift) % LABELS,
        }))
        const [found, other] = [aggregate(answers), aggregate(answersOf(turned, LABELS, ANNOTATORS))]
        const gaps = (accuracy: Float64Array) => accuracy.map((one) => (Number.isNaN(one) ? -1 : one))
        close(gaps(other.accuracy).reverse(), gaps(found.accuracy), 6)
        for (let item = 0; item < answers.itemCount; item += 1)
          for (let label = 0; label < LABELS; label += 1)
            expect(other.posterior[(last - item) * LABELS + ((label + shift) % LABELS)]).toBeCloseTo(
              found.posterior[item * LABELS + label]!,
              6,
            )
      }),
      { numRuns: scaled(20, 60) },
    )
  })

  it('takes the answers of a single annotator', () => {
    const { posterior, accuracy } = aggregate(answersOf(rowsOf(['0', '1', '2', '1', '0', '2', '1'])))
    expect([...likeliestLabels(posterior, LABELS)]).toEqual([0, 1, 2, 1, 0, 2, 1])
    expect(accuracy).toHaveLength(1)
    expect(accuracy[0]).toBeGreaterThan(0.5)
  })

  it('takes answers that are all alike', () => {
    const found = aggregate(answersOf(rowsOf(['111', '111', '111', '111', '111', '111']), LABELS))
    expect([...likeliestLabels(found.posterior, LABELS)]).toEqual([1, 1, 1, 1, 1, 1])
    for (const one of found.accuracy) expect(one).toBeGreaterThan(0.9)
    for (const one of found.entropy) expect(one).toBeLessThan(0.4)
  })

  it('takes the only answer to an item, with less certainty than several', () => {
    const found = aggregate(answersOf(rowsOf(['000', '111', '000', '111', '010', '101', '0..'])))
    expect(likeliestLabels(found.posterior, 2)[6]).toBe(0)
    expect(found.entropy[6]).toBeGreaterThan(found.entropy[0]!)
  })

  it('never takes a label that nobody has given', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const found = likeliestLabels(aggregate(answersOf(rows, LABELS + 1)).posterior, LABELS + 1)
        expect([...found]).not.toContain(LABELS)
      }),
      { numRuns: scaled(20, 60) },
    )
  })

  it('breaks no ties', () => {
    // In all cases, equally reliable annotators contradict each other: on one item, on every item, or on half of the items. In
    // the last case, swapping the two annotators turns `01` into `10` and vice versa.
    expect([...likeliestLabels(aggregate(answersOf(rowsOf(['01']))).posterior, 2)]).toEqual([-1])
    expect([...likeliestLabels(aggregate(answersOf(rowsOf(['012']))).posterior, LABELS)]).toEqual([-1])
    const alone = rowsOf(['01....', '..10..', '....01'])
    expect([...likeliestLabels(aggregate(answersOf(alone)).posterior, 2)]).toEqual([-1, -1, -1])
    const swapped = rowsOf(['00', '11', '00', '11', '00', '11', '01', '10', '01', '10', '01', '10'])
    expect([...likeliestLabels(aggregate(answersOf(swapped)).posterior, 2)]).toEqual([0, 1, 0, 1, 0, 1, -1, -1, -1, -1, -1, -1])
  })

  it('breaks no ties by rounding errors', () => {
    fc.assert(
      fc.property(anyMirroredRows, ({ rows, tied }) => {
        const found = likeliestLabels(aggregate(answersOf(rows, 2)).posterior, 2)
        for (const item of tied) expect(found[item]).toBe(-1)
      }),
      { numRuns: scaled(66, 200) },
    )
  })

  it('computes items with hundreds of answers', () => {
    const rows = Array.from({ length: 900 }, (_, i): Row[] => [
      { item: 0, annotator: i, label: i < 500 ? 0 : 1 },
      { item: 1, annotator: i, label: i < 500 ? 1 : 0 },
    ]).flat()
    const found = aggregate(answersOf(rows))
    expect([...likeliestLabels(found.posterior, 2)]).toEqual([0, 1])
    for (const one of found.posterior) expect(Number.isFinite(one)).toBe(true)
  })

  it('computes nothing from no answers', () => {
    const found = aggregate(answersOf([], LABELS))
    expect([found.posterior.length, found.entropy.length, found.accuracy.length]).toEqual([0, 0, 0])
  })

  it('refuses answers that are not valid', () => {
    const answers = answersOf(rowsOf(['01', '10']))
    const refusal = (changes: Partial<typeof answers>, message: string) =>
      expect(() => aggregate({ ...answers, ...changes })).toThrow(new RangeError(message))
    refusal({ itemCount: 3 }, 'Item 2 has no answers.')
    refusal({ itemCount: 1 }, 'Answer 2 has the item 1, which is not from 0 to 0.')
    refusal({ annotators: Int32Array.of(0, -1, 0, 1) }, 'Answer 1 has the annotator -1, which is not from 0 to 1.')
    refusal({ labels: Int32Array.of(0, 1, 1, 2) }, 'Answer 3 has the label 2, which is not from 0 to 1.')
    refusal({ labels: Int32Array.of(0, 1) }, 'The columns differ in length: 4 items, 4 annotators, 2 labels.')
    refusal(
      { labelCount: MAX_NUMBERS },
      `2 items × ${MAX_NUMBERS} labels are ${2 * MAX_NUMBERS} numbers. The maximum is ${MAX_NUMBERS}.`,
    )
  })
})

describe('the likeliest label', () => {
  it('is the one with the highest probability, unless two share it', () => {
    const rows = [
      [0.2, 0.5, 0.3],
      [0.4, 0.2, 0.4],
      [0.2, 0.4, 0.4 + 1e-10],
      [0.2, 0.4 - 1e-8, 0.4 + 1e-8],
      [0.5, 0.25, 0.25],
      [0.25, 0.25, 0.5],
      [1 / 3, 1 / 3, 1 / 3],
    ]
    expect([...likeliestLabels(Float64Array.from(rows.flat()), LABELS)]).toEqual([1, -1, -1, 2, 0, 2, -1])
    expect([...likeliestLabels(Float64Array.of(1, 1), 1)]).toEqual([0, 0])
    expect([...likeliestLabels(new Float64Array(0), 0)]).toEqual([])
  })
})

describe('digamma', () => {
  it('has its known values', () => {
    const euler = 0.577_215_664_901_532_9
    expect(digamma(1)).toBeCloseTo(-euler, 14)
    expect(digamma(0.5)).toBeCloseTo(-euler - 2 * Math.LN2, 14)
    expect(digamma(1 / 3)).toBeCloseTo(-euler - Math.PI / (2 * Math.sqrt(3)) - 1.5 * Math.log(3), 14)
    const harmonic = Array.from({ length: 99 }, (_, i) => 1 / (i + 1)).reduce((sum, one) => sum + one, 0)
    expect(digamma(100)).toBeCloseTo(harmonic - euler, 13)
  })
})
