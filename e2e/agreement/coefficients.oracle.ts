import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { answersOf } from '../../apps/server/src/features/agreement/measures/answers.ts'
import { type Measures, measure } from '../../apps/server/src/features/agreement/measures/measure.ts'
import { askPython, INSTALL_TIMEOUT } from '../oracles/python.ts'

/** Compares the coefficients that this project and the published Python libraries compute for the same random answers. */

const RATERS = 4
const UNITS = 9
const VALUES = 4
const LENGTH = 20
const CASES = 40

/** Samples of answers with gaps. In some samples, all answers are equal or from one rater. */
const anyAnswers = fc
  .uniqueArray(
    fc.record({ unit: fc.nat(UNITS - 1), rater: fc.nat(RATERS - 1), value: fc.oneof(fc.constant(0), fc.nat(VALUES - 1)) }),
    { selector: ({ unit, rater }) => unit * RATERS + rater, maxLength: 34, minLength: 1 },
  )
  .chain((all) => {
    const equal = all.map((one) => ({ ...one, value: 1 }))
    const alone = all.filter(({ rater }) => rater === 0)
    return fc.oneof({ weight: 8, arbitrary: fc.constant(all) }, fc.constant(equal), fc.constant(alone))
  })

const anyRanking = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 })
const anySet = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }).map((set) => set.sort())
/** Spans that don't overlap, in any order. */
const anySpans = fc
  .uniqueArray(fc.nat(LENGTH), { maxLength: 8 })
  .chain((edges) =>
    fc.tuple(fc.constant(edges.sort((a, b) => a - b)), fc.array(fc.constantFrom('a', 'b'), { minLength: 4, maxLength: 4 })),
  )
  .map(([edges, labels]) =>
    Array.from({ length: Math.floor(edges.length / 2) }, (_, i) => ({
      label: labels[i]!,
      start: edges[2 * i]!,
      end: edges[2 * i + 1]!,
    })),
  )

const fixed = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: VALUES, maxLength: VALUES })
const size = { units: UNITS, raters: RATERS, values: VALUES }
const casesOf = <T extends object>(kind: string, more: fc.Arbitrary<T>, seed: number) =>
  fc.sample(
    fc.tuple(anyAnswers, more).map(([answers, rest]) => ({ kind, answers, ...size, ...rest })),
    { numRuns: CASES, seed },
  )

const nothing = fc.constant({})
/** Four labels in a tree: each is at the top or below an earlier one. */
const anyTree = fc.tuple(...[0, 1, 2, 3].map((label) => fc.integer({ min: -1, max: label - 1 }))).map((parents) => {
  const pathOf = (label: number): readonly number[] => (label < 0 ? [] : [...pathOf(parents[label] ?? -1), label])
  return { paths: parents.map((_, label) => pathOf(label)) }
})
const cases = {
  categories: casesOf('categories', anyTree, 1),
  scale: casesOf('scale', nothing, 2),
  sets: casesOf(
    'sets',
    fc.tuple(fc.record({ sets: fixed(anySet) }), anyTree).map(([sets, tree]) => ({ ...sets, ...tree })),
    3,
  ),
  rankings: casesOf('rankings', fc.record({ rankings: fixed(anyRanking) }), 4),
  spans: casesOf('spans', fc.record({ spans: fixed(anySpans), length: fc.constant(LENGTH) }), 5),
}
type Kind = keyof typeof cases
type Kappa = { readonly a: number; readonly b: number; readonly units: number; readonly kappa: number | null }
type Expected = { readonly [name: string]: number | null } & {
  readonly kappas: readonly Kappa[]
  readonly labels: { readonly [label: string]: number | null }
}

let expected: { readonly [K in Kind]: readonly Expected[] }
beforeAll(async () => {
  const all = Object.values(cases).flat()
  const results = (await askPython(join(import.meta.dirname, 'coefficients.py'), all)) as Expected[]
  expected = Object.fromEntries(
    Object.keys(cases).map((kind, i) => [kind, results.slice(i * CASES, (i + 1) * CASES)]),
  ) as unknown as typeof expected
}, INSTALL_TIMEOUT)

const same = (found: number | null | undefined, wanted: number | null | undefined, digits = 9): void => {
  if (found === null || wanted === null) expect(found).toBe(wanted)
  else expect(Math.abs(found! - wanted!)).toBeLessThan(10 ** -digits)
}
const secondary = ({ secondary: all }: Measures, name: string): number | null => all.find((one) => one.measure === name)!.value
const sameKappas = ({ pairs: { pairs } }: Measures, { kappas }: Expected): void => {
  const sorted = [...pairs].sort((x, y) => x.a - y.a || x.b - y.b)
  expect(sorted.map(({ a, b, units }) => [a, b, units])).toEqual(kappas.map(({ a, b, units }) => [a, b, units]))
  for (const [i, { kappa }] of sorted.entries()) same(kappa!.value, kappas[i]!.kappa)
}
/** Compares every case, and checks that enough of them have a value to compare. */
const compare = <K extends Kind>(
  kind: K,
  inputOf: (one: (typeof cases)[K][number]) => object,
  check: (found: Measures, wanted: Expected) => void,
): void => {
  let compared = 0
  cases[kind].forEach((one, i) => {
    const found = measure({ kind, raters: RATERS, answers: answersOf(one.answers), ...inputOf(one) } as Parameters<
      typeof measure
    >[0])
    check(found, expected[kind][i]!)
    if (found.value !== null) compared += 1
  })
  expect(compared).toBeGreaterThan(CASES / 4)
}

describe('published libraries agree on', () => {
  it('categories: krippendorff, nltk, irrCAC and scikit-learn', () => {
    compare(
      'categories',
      ({ paths }) => ({ labels: VALUES, paths }),
      (found, wanted) => {
        same(found.value, wanted.nominal)
        same(secondary(found, 'alpha_tree'), wanted.tree)
        // If all answers are equal, irrCAC returns 1. Postil treats the coefficient as undefined in this case.
        const ac1 = secondary(found, 'gwet_ac1')
        if (ac1 !== null) same(ac1, wanted.gwet, 5)
        sameKappas(found, wanted)
      },
    )
  })

  it('ratings: krippendorff, irrCAC and scikit-learn', () => {
    compare(
      'scale',
      () => ({ scale: [0, 1, 2, 3] }),
      (found, wanted) => {
        same(found.value, wanted.ordinal)
        same(secondary(found, 'alpha_interval'), wanted.interval)
        const ac2 = secondary(found, 'gwet_ac2')
        if (ac2 !== null) same(ac2, wanted.gwet, 5)
        sameKappas(found, wanted)
      },
    )
  })

  it('sets of labels: nltk', () => {
    compare(
      'sets',
      ({ sets, paths }) => ({ sets, labels: 4, paths }),
      (found, wanted) => {
        same(found.value, wanted.jaccard)
        same(secondary(found, 'alpha_tree'), wanted.tree)
        same(secondary(found, 'alpha_masi'), wanted.masi)
        for (const [label, alpha] of Object.entries(wanted.labels)) same(found.labels[Number(label)]!.alpha.value, alpha)
      },
    )
  })

  it('rankings: scipy', () => {
    compare(
      'rankings',
      ({ rankings }) => ({ rankings }),
      (found, wanted) => {
        same(found.value, wanted.tau)
        same(secondary(found, 'kendall_w'), wanted.w)
      },
    )
  })

  it('spans: nltk on characters, nervaluate and scipy', () => {
    compare(
      'spans',
      ({ spans }) => ({ spans, labels: ['a', 'b'], lengths: new Array<number>(UNITS).fill(LENGTH) }),
      (found, wanted) => {
        same(found.value, wanted.jaccard)
        same(secondary(found, 'f1_exact'), wanted.exact)
        same(secondary(found, 'f1_overlap'), wanted.overlapping)
      },
    )
  })
})
