import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervalsOf, type Pair, strengthsOf } from './bradley-terry.ts'

const pair = (first: number, second: number, wins: number, losses: number, ties = 0): Pair => ({
  first,
  second,
  wins,
  losses,
  ties,
})

test('the strengths of two players differ by their log odds', () => {
  const strengths = strengthsOf([pair(0, 1, 30, 10)])
  expect(strengths.get(0)).toBeCloseTo(Math.log(3) / 2, 9)
  expect(strengths.get(1)).toBeCloseTo(-Math.log(3) / 2, 9)
})

test('a tie counts as half a win for both', () => {
  expect(strengthsOf([pair(0, 1, 2, 1, 2)])).toEqual(strengthsOf([pair(0, 1, 3, 2)]))
})

test('players that have only won, have only lost or are not connected have no strength', () => {
  const results = [pair(0, 1, 3, 2), pair(1, 2, 1, 1), pair(3, 0, 5, 0), pair(4, 5, 1, 2)]
  expect([...strengthsOf(results).keys()]).toEqual([0, 1, 2])
  expect(strengthsOf([pair(0, 1, 3, 0)]).size).toBe(0)
  expect(strengthsOf([]).size).toBe(0)
})

const results = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(20), fc.nat(20), fc.nat(5)), { minLength: 1, maxLength: 12 })
  .map((all) => all.filter(([a, b]) => a !== b).map((one) => pair(...one)))

/** Returns a player's wins and the number of wins that the strengths predict. Only opponents with a known strength count. */
const winsOf = (player: number, pairs: readonly Pair[], strengths: ReadonlyMap<number, number>) => {
  let [won, predicted] = [0, 0]
  for (const { first, second, wins, losses, ties } of pairs) {
    if (first !== player && second !== player) continue
    const opponent = strengths.get(first === player ? second : first)
    if (opponent === undefined) continue
    won += (first === player ? wins : losses) + ties / 2
    predicted += (wins + losses + ties) / (1 + Math.exp(opponent - (strengths.get(player) ?? 0)))
  }
  return { won, predicted }
}

test('the wins that the strengths predict equal the actual wins of each player', () => {
  fc.assert(
    fc.property(results, (pairs) => {
      const strengths = strengthsOf(pairs)
      for (const player of strengths.keys()) {
        const { won, predicted } = winsOf(player, pairs, strengths)
        expect(predicted).toBeCloseTo(won, 4)
      }
    }),
  )
})

test('the order of the results makes no difference', () => {
  fc.assert(
    fc.property(results, (pairs) => {
      const [one, other] = [strengthsOf(pairs), strengthsOf(pairs.toReversed())]
      expect([...other.keys()].sort()).toEqual([...one.keys()].sort())
      for (const [player, strength] of one) expect(other.get(player)).toBeCloseTo(strength, 6)
    }),
  )
})

test('intervals contain the strength, are the same each time, and get narrower with more results', () => {
  const few = [pair(0, 1, 12, 8), pair(1, 2, 11, 9), pair(0, 2, 14, 6)]
  const many = few.map((one) => ({ ...one, wins: one.wins * 25, losses: one.losses * 25 }))
  const widthOf = (pairs: readonly Pair[]): number => {
    const strengths = strengthsOf(pairs)
    const intervals = intervalsOf(pairs, strengths)
    expect(intervalsOf(pairs, strengths)).toEqual(intervals)
    for (const [player, { low, high }] of intervals) {
      expect(strengths.get(player)).toBeGreaterThan(low)
      expect(strengths.get(player)).toBeLessThan(high)
    }
    const { low, high } = intervals.get(0) ?? { low: 0, high: 0 }
    return high - low
  }
  const ratio = widthOf(few) / widthOf(many)
  expect(ratio).toBeGreaterThan(4)
  expect(ratio).toBeLessThan(6.5)
})

test('results that barely connect the players have no intervals', () => {
  const pairs = [pair(0, 1, 20, 0, 1), pair(1, 2, 20, 0, 1), pair(2, 3, 20, 0, 1)]
  expect(intervalsOf(pairs, strengthsOf(pairs)).size).toBe(0)
})
