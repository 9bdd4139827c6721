import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { facets, indexKey, isLongKey, valueKey } from './index-keys.ts'

describe('index keys', () => {
  it('differ for every property and facet', () => {
    const keys = new Set<number>()
    for (let no = 0; no < 100; no += 1)
      for (const facet of Object.keys(facets) as (keyof typeof facets)[]) keys.add(indexKey(no, facet))
    expect(keys.size).toBe(100 * Object.keys(facets).length)
  })

  it('leave a short text unchanged and limit a long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const key = valueKey(text)
        if (Buffer.byteLength(text) <= 200) expect(key).toBe(text)
        else {
          expect(isLongKey(key)).toBe(true)
          expect(Buffer.byteLength(key)).toBeLessThanOrEqual(233)
          expect(key).not.toContain('\uFFFD')
        }
      }),
    )
  })

  it('differ for texts that differ only beyond the limit', () => {
    const base = 'é'.repeat(20_000)
    expect(valueKey(`${base}a`)).not.toBe(valueKey(`${base}b`))
    expect(valueKey(`${base}a`)).toBe(valueKey(`${base}a`))
  })
})
