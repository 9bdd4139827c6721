import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isShuffled, orderOf, scoreOfKey } from './user-order.ts'

const shuffle = fc.nat(2 ** 32 - 1)

it('buckets follow each other, and records keep their order within a bucket', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(1000), shuffle, shuffle, (user, dataset, a, b) => {
      const { buckets, keyOf } = orderOf({ userId: user, shuffled: true }, dataset, 5000)
      expect([...buckets].sort((x, y) => x - y)).toEqual(Array.from({ length: 256 }, (_, i) => i))
      const place = (s: number) => buckets.indexOf(s >>> 24)
      const expected = place(a) - place(b) || (a & 0xffffff) - (b & 0xffffff)
      expect(Math.sign(keyOf(a) - keyOf(b))).toBe(Math.sign(expected))
      expect(scoreOfKey(keyOf(a))).toBeGreaterThan(0)
      expect(scoreOfKey(keyOf(a))).toBeLessThanOrEqual(1)
    }),
  )
})

it('each user has a separate order in every dataset', () => {
  const small = (user: string, dataset: number) => {
    const { keyOf } = orderOf({ userId: user, shuffled: true }, dataset, 20)
    return Array.from({ length: 20 }, (_, i) => i * 1000)
      .sort((a, b) => keyOf(a) - keyOf(b))
      .join()
  }
  const orders = ['u1', 'u2', 'u3'].flatMap((user) => [small(user, 1), small(user, 2)])
  expect(new Set(orders).size).toBe(6)
  expect(small('u1', 1)).toBe(orders[0])
  const large = ['u1', 'u2', 'u3'].map((user) => orderOf({ userId: user, shuffled: true }, 1, 5000).buckets.join())
  expect(new Set(large).size).toBe(3)
})

it('by default, everyone has insertion order, but settings of earlier versions keep their individual orders', () => {
  expect(isShuffled({ queue: null })).toBe(false)
  expect(isShuffled({ queue: { order: null, max_per_person: 5, assigned_by: null } })).toBe(true)
  expect(isShuffled({ queue: { shuffled: false } })).toBe(false)
  const { keyOf } = orderOf({ userId: 'u1', shuffled: false }, 1, 5000)
  expect([1, 2, 70_000].map(keyOf)).toEqual([1, 2, 70_000])
})
