import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { interval, nominal } from '../../apps/server/src/features/agreement/measures/distances.ts'
import { kappaInterval } from '../../apps/server/src/features/agreement/measures/kappa-interval.ts'
import { alternativeTest } from '../../apps/server/src/features/models/alignment/alternative.ts'
import {
  calibrationOf,
  countPairs,
  labelFigures,
  lengthBias,
  mcnemar,
  rateOf,
} from '../../apps/server/src/features/models/alignment/figures.ts'
import { differenceOfShares } from '../../apps/server/src/platform/wilson.ts'
import { askPython, INSTALL_TIMEOUT } from '../oracles/python.ts'

/** Compares figures about models, computed from random answers, with the results of scikit-learn, scipy and statsmodels. */

const VALUES = 4
const CASES = 60

/** Successes and trials. */
const anyGroup = fc.integer({ min: 1, max: 80 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)))

const anyCase = fc.integer({ min: 2, max: 40 }).chain((n) => {
  const listOf = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: n, maxLength: n })
  const value = fc.oneof(fc.constant(0), fc.nat(VALUES - 1))
  return fc.record({
    values: fc.constant(VALUES),
    weighted: fc.boolean(),
    // In many pairs, both values are equal, because a useful model often agrees with the reference.
    pairs: listOf(
      fc.oneof(
        value.map((one): [number, number] => [one, one]),
        fc.tuple(value, value),
      ),
    ),
    scores: listOf(fc.double({ min: 0, max: 1, noNaN: true })),
    lengths: listOf(fc.nat(12)),
    // The model often agrees with the other annotators at least as closely as the person does.
    duels: fc.array(
      fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(2) }, fc.nat(2)), fc.nat(2)), {
        minLength: 30,
        maxLength: 60,
      }),
      { minLength: 3, maxLength: 6 },
    ),
    groups: fc.tuple(anyGroup, anyGroup),
    epsilon: fc.constantFrom(0, 0.1, 0.2),
    discordant: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 })),
  })
})
const cases = fc.sample(anyCase, { numRuns: CASES, seed: 7 })

type Expected = {
  readonly kappa: readonly [number, number, number] | null
  readonly labels: readonly (readonly [number, number | null, number | null])[]
  readonly wilson: readonly [number, number]
  readonly difference: readonly [number, number]
  readonly calibration: readonly [number, number]
  readonly longer: number | null
  readonly mcnemar: number
  readonly alternative: readonly [readonly number[], readonly boolean[]]
}
let expected: readonly Expected[]
beforeAll(async () => {
  expected = (await askPython(join(import.meta.dirname, 'alignment.py'), cases)) as readonly Expected[]
}, INSTALL_TIMEOUT)

const same = (found: number | null | undefined, wanted: number | null | undefined): void => {
  if (typeof wanted !== 'number') expect(found ?? null).toBeNull()
  else expect(found).toBeCloseTo(wanted, 9)
}
/** Checks every case. @returns how many cases have a value to compare */
const compare = (check: (one: (typeof cases)[number], wanted: Expected) => boolean): number =>
  cases.filter((one, i) => check(one, expected[i] as Expected)).length

describe('published libraries agree on', () => {
  it('the interval of kappa: statsmodels', () => {
    const compared = compare(({ pairs, weighted }, { kappa }) => {
      const distance = weighted ? interval([0, 1, 2, 3])([]) : nominal([])
      const found = kappaInterval(countPairs(pairs), VALUES, distance)
      // Without variance, the library's interval is a point or undefined, depending on rounding.
      if (found === null) {
        expect((kappa?.[2] ?? 0) - (kappa?.[1] ?? 0)).toBeCloseTo(0, 5)
        return false
      }
      same(found[0], kappa?.[1])
      same(found[1], Math.min(1, kappa?.[2] ?? 0))
      return true
    })
    expect(compared).toBeGreaterThan(CASES / 2)
  })

  it('precision and recall: scikit-learn', () => {
    compare(({ pairs }, { labels }) => {
      const found = labelFigures(pairs, (value) => [{ label: value, key: String(value) }])
      expect(found.map(({ label }) => label)).toEqual(labels.map(([label]) => label))
      for (const [i, { precision, recall }] of found.entries()) {
        same(precision?.value, labels[i]?.[1])
        same(recall?.value, labels[i]?.[2])
      }
      return true
    })
  })

  it('intervals of shares: statsmodels', () => {
    compare(({ pairs }, { wilson }) => {
      const found = rateOf(pairs.filter(([a, b]) => a === b).length, pairs.length)
      same(found?.interval[0], wilson[0])
      same(found?.interval[1], wilson[1])
      return true
    })
  })

  it('intervals of differences of shares: statsmodels', () => {
    compare(({ groups: [[a, m], [b, n]] }, { difference }) => {
      const found = differenceOfShares({ successes: a, trials: m }, { successes: b, trials: n })
      same(found.low, difference[0])
      same(found.high, difference[1])
      return true
    })
  })

  it('calibration: scikit-learn and numpy', () => {
    compare(({ pairs, scores }, { calibration }) => {
      const found = calibrationOf(pairs.map(([a, b], i) => ({ score: scores[i] ?? 0, isRight: a === b })))
      same(found?.ece, calibration[0])
      same(found?.brier, calibration[1])
      return true
    })
  })

  it('the bias for long records: scipy', () => {
    const compared = compare(({ pairs, lengths }, { longer }) => {
      same(lengthBias(pairs.map(([a, b], i) => ({ length: lengths[i] ?? 0, isRight: a === b })))?.longer, longer)
      return longer !== null
    })
    expect(compared).toBeGreaterThan(CASES / 2)
  })

  it('the alternative annotator test: scipy and statsmodels', () => {
    const seen = new Set<boolean>()
    compare(({ duels, epsilon }, { alternative: [values, beaten] }) => {
      const all = duels.flatMap((own, rater) => own.map(([model, person]) => ({ rater, model, person })))
      const found = alternativeTest(all, epsilon)
      for (const [i, { p }] of (found?.rivals ?? []).entries()) same(p, values[i])
      expect(found?.rivals.map(({ isBeaten }) => isBeaten)).toEqual(beaten)
      expect(found?.winning).toBe(beaten.filter(Boolean).length / beaten.length)
      for (const one of beaten) seen.add(one)
      return true
    })
    expect(seen.size).toBe(2)
  })

  it("McNemar's test: statsmodels", () => {
    compare(({ discordant: [b, c] }, wanted) => {
      same(mcnemar(b, c), wanted.mcnemar)
      return true
    })
  })
})
