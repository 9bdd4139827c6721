import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intersect, SeqSet } from './seq-set.ts'

const size = 130
const seqs = fc.uniqueArray(fc.integer({ min: 1, max: size - 1 })).map((list) => list.sort((a, b) => a - b))

describe('a set of records', () => {
  it('contains the records it was created from', () => {
    fc.assert(
      fc.property(seqs, fc.nat(140), fc.nat(140), (list, offset, limit) => {
        const set = SeqSet.of(size, list)
        expect(set.toArray()).toEqual(list)
        expect(SeqSet.parse(size, list.join(',')).toArray()).toEqual(list)
        expect(set.count()).toBe(list.length)
        expect(set.slice(offset, limit)).toEqual(list.slice(offset, offset + limit))
        expect(set.grown(size + 70).toArray()).toEqual(list)
        for (const seq of [0, 1, 31, 32, 129, 500]) expect(set.has(seq)).toBe(list.includes(seq))
      }),
    )
  })
  it('is complete without 0 and without values beyond its end', () => {
    for (const n of [0, 1, 2, 31, 32, 33, 64, 65]) {
      expect(SeqSet.full(n).toArray()).toEqual(Array.from({ length: Math.max(0, n - 1) }, (_, i) => i + 1))
    }
  })
  it('can be intersected with other sets and with complements, without changing them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(seqs, fc.boolean()), { maxLength: 4 }), async (parts) => {
        const conditions = parts.map(([list, negated]) => ({ negated, set: SeqSet.of(size, list) }))
        const all = Array.from({ length: size - 1 }, (_, i) => i + 1)
        const found = await intersect(conditions, async () => SeqSet.full(size), size)
        expect(found.toArray()).toEqual(all.filter((seq) => parts.every(([list, negated]) => list.includes(seq) !== negated)))
        expect(conditions.map(({ set }) => set.toArray())).toEqual(parts.map(([list]) => list))
      }),
    )
  })
})
