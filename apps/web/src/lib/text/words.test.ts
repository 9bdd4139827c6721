import { cpuTimeOf } from '@postil/testkit/cpu-time.ts'
import fc from 'fast-check'
import { describe, expect, test as it } from 'vitest'
import { nextCharacter, nextWord, previousCharacter, previousWord, widenToCharacters, widenToWords } from './words.ts'

const family = '👩‍👩‍👧‍👦'
const cut = (text: string, range: { start: number; end: number } | null) => (range ? text.slice(range.start, range.end) : null)

describe('widening a selection', () => {
  it.each([
    ['Angela Merkel met', 2, 9, 'Angela Merkel'],
    ['in 2024, again', 4, 5, '2024'],
    ['  spaced  out ', 0, 4, 'spaced'],
    ['(word) next', 1, 6, 'word)'],
    ['costs $ 5', 6, 7, '$'],
    [`a ${family} b`, 3, 5, family],
    ['שלום עולם', 1, 2, 'שלום'],
    ['line one\r\nline two', 5, 9, 'one'],
    ["don't stop", 1, 2, "don't"],
  ])('in %j from %i to %i gives %j', (text, start, end, expected) => {
    expect(cut(text, widenToWords(text, { start, end }))).toBe(expected)
  })

  it('gives nothing for whitespace alone', () => {
    expect(widenToWords('a   b', { start: 1, end: 3 })).toBeNull()
    expect(widenToWords('ab', { start: 1, end: 1 })).toBeNull()
  })

  it('never cuts a character', () => {
    const text = `x${family}e\u0301y`
    expect(cut(text, widenToCharacters(text, { start: 2, end: 3 }))).toBe(family)
    expect(cut(text, widenToCharacters(text, { start: 1 + family.length, end: 2 + family.length }))).toBe('e\u0301')
    expect(widenToCharacters(text, { start: 1, end: 1 })).toEqual({ start: 1, end: 1 })
  })
})

describe('cursor steps', () => {
  it('move by character over surrogate pairs and joined emoji', () => {
    const text = `a${family}b`
    expect(nextCharacter(text, 0)).toBe(1)
    expect(nextCharacter(text, 1)).toBe(1 + family.length)
    expect(previousCharacter(text, 1 + family.length)).toBe(1)
    expect(nextCharacter(text, text.length)).toBe(text.length)
    expect(previousCharacter(text, 0)).toBe(0)
  })

  it('move by word over whitespace, symbols and line breaks', () => {
    const text = 'One, two.\r\n\r\nThree'
    expect([nextWord(text, 0), nextWord(text, 3), nextWord(text, 8), nextWord(text, text.length)]).toEqual([3, 8, 18, 18])
    expect([previousWord(text, 18), previousWord(text, 13), previousWord(text, 5), previousWord(text, 0)]).toEqual([13, 5, 0, 0])
  })

  it('by character reach the end and return the same way', () => {
    const unit = fc.constantFrom(family, '🇩🇪', 'e\u0301', 'ש', '\r\n', '\n', ' ', 'word', '7')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const there: number[] = [0]
        while (there.at(-1)! < text.length) there.push(nextCharacter(text, there.at(-1)!))
        const back: number[] = [text.length]
        while (back.at(-1)! > 0) back.push(previousCharacter(text, back.at(-1)!))
        expect(back.reverse()).toEqual(there)
      }),
    )
  })

  it('take no longer in a large text without line breaks than in a small one', () => {
    const walk = (text: string): number =>
      cpuTimeOf(() => {
        let at = text.length / 2
        for (let i = 0; i < 100; i += 1) at = nextWord(text, at)
        expect(at).toBe(text.length / 2 + 599)
      })
    // The best of several runs, because compilation and garbage collection delay some of them.
    const best = (text: string): number => Math.min(...Array.from({ length: 5 }, () => walk(text)))
    const small = best('lorem ipsum '.repeat(1000))
    expect(best('lorem ipsum '.repeat(100_000))).toBeLessThan(small * 10 + 50)
  })
})
