import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Pair, strengthsOf } from '../../apps/server/src/features/comparisons/bradley-terry.ts'
import { askPython, INSTALL_TIMEOUT } from '../oracles/python.ts'

/** Checks the computed strengths of models against the Python library choix. Both compute them from the same random results. */

const PLAYERS = 7
const CASES = 60

/** Results in which each model has won against one neighbor and lost against another, so that all strengths are finite. */
const anyResults = fc
  .tuple(
    fc.integer({ min: 2, max: PLAYERS }),
    fc.array(fc.tuple(fc.nat(PLAYERS - 1), fc.nat(PLAYERS - 1), fc.nat(30), fc.nat(30), fc.nat(6)), { maxLength: 15 }),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: PLAYERS, maxLength: PLAYERS }),
  )
  .map(([count, all, ring]): { readonly count: number; readonly pairs: readonly Pair[] } => ({
    count,
    pairs: [
      ...all
        .filter(([first, second]) => first !== second && first < count && second < count)
        .map(([first, second, wins, losses, ties]) => ({ first, second, wins, losses, ties })),
      ...Array.from({ length: count }, (_, at) => ({
        first: at,
        second: (at + 1) % count,
        wins: ring[at] ?? 1,
        losses: 0,
        ties: 0,
      })),
    ],
  }))

it(
  'the strengths of models match those of choix',
  async () => {
    const cases = fc.sample(anyResults, { numRuns: CASES, seed: 11 })
    const sent = cases.map(({ count, pairs }) => [
      count,
      pairs.map(({ first, second, wins, losses, ties }) => [first, second, wins, losses, ties]),
    ])
    const expected = (await askPython(join(import.meta.dirname, 'bradley_terry.py'), sent)) as readonly (readonly number[])[]
    expect(expected.length).toBe(CASES)
    for (const [at, { count, pairs }] of cases.entries()) {
      const found = strengthsOf(pairs)
      expect([...found.keys()].length).toBe(count)
      for (const [player, strength] of found)
        expect(Math.abs(strength - (expected[at]?.[player] ?? Number.NaN))).toBeLessThan(1e-6)
    }
  },
  INSTALL_TIMEOUT,
)
