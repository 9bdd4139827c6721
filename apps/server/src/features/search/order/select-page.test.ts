import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forEachPair } from '#platform/db/keys/pair-list.ts'
import { SeqSet } from '../seq-set.ts'
import { pageBy } from './select-page.ts'

it('a page selected by keys equals a sorted page', () => {
  const size = 400
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: size - 1 }), { maxLength: 300 }),
      fc.array(fc.nat(), { minLength: size, maxLength: size }),
      fc.constantFrom(3, 50, 2 ** 32, 2 ** 50),
      fc.nat(310),
      fc.integer({ min: 1, max: 50 }),
      (seqs, numbers, keys, offset, limit) => {
        const keyOf = (seq: number) => numbers[seq]! % keys
        const expected = [...seqs].sort((a, b) => keyOf(a) - keyOf(b) || a - b).slice(offset, offset + limit)
        expect(pageBy(SeqSet.of(size, seqs), keyOf, { offset, limit }, { keys, size })).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})

it('pairs are parsed', () => {
  const found: number[][] = []
  forEachPair('1 7,20 4294967295,3 0', (seq, number) => found.push([seq, number]))
  expect(found).toEqual([
    [1, 7],
    [20, 4_294_967_295],
    [3, 0],
  ])
  forEachPair('', () => found.push([]))
  expect(found).toHaveLength(3)
})
