import fc from 'fast-check'
import { describe, expect, test as it } from 'vitest'
import { offsetsOf } from './offsets.ts'

/**
 * Text that offset conversion could get wrong: surrogate pairs, joined emoji, accents, right-to-left text, lone surrogates,
 * CRLF.
 */
const awkward = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'é', 'e\u0301', 'שלום', 'مرحبا', '\r\n', '\ud83d', '\ude00', '𐐷', 'a', ' '),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))

/** The reference implementation: counts by iterating. */
const byIteration = (text: string, unit: number): number => {
  let codePoints = 0
  let at = 0
  for (const character of text) {
    if (at + character.length > unit) break
    at += character.length
    codePoints += 1
  }
  return codePoints
}

describe('code point and UTF-16 offsets', () => {
  it('match iteration at every offset', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        const offsets = offsetsOf(text)
        expect(offsets.length).toBe([...text].length)
        for (let unit = 0; unit <= text.length; unit += 1) expect(offsets.toCodePoint(unit)).toBe(byIteration(text, unit))
      }),
    )
  })

  it('convert to units and back without change, and cut the same text', () => {
    fc.assert(
      fc.property(awkward, fc.nat(), fc.nat(), (text, a, b) => {
        const all = [...text]
        const [start, end] = [a % (all.length + 1), b % (all.length + 1)].sort((x, y) => x - y) as [number, number]
        const offsets = offsetsOf(text)
        expect(offsets.toCodePoint(offsets.toUnit(start))).toBe(start)
        expect(text.slice(offsets.toUnit(start), offsets.toUnit(end))).toBe(all.slice(start, end).join(''))
      }),
    )
  })

  it('are clamped if they are outside the text', () => {
    const offsets = offsetsOf('a😀b')
    expect([offsets.toUnit(-3), offsets.toUnit(99), offsets.toCodePoint(-1), offsets.toCodePoint(99)]).toEqual([0, 4, 0, 3])
  })
})
