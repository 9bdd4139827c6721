import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differingWords } from './differing-words.ts'

const print = (text: string, other: string): string =>
  differingWords(text, other)
    .map((part) => (part.isDifferent ? `[${part.text}]` : part.text))
    .join('')

describe('words that differ', () => {
  test.each([
    ['the same text', 'the same text', 'the same text'],
    ['a big red house', 'a small red house', 'a [big] red house'],
    ['a big red house', 'a red house', 'a [big ]red house'],
    ['a red house', 'a big red house', 'a red house'],
    ['one two three', '', '[one two three]'],
    ['', 'one', ''],
    ['b a', 'a b', 'b[ a]'],
  ])('of “%s” compared with “%s”', (text, other, expected) => {
    expect(print(text, other)).toBe(expected)
  })

  test('of a very long text are all words between the common start and end', () => {
    const long = (word: string) => `start ${`${word} `.repeat(2000)}end`
    const parts = differingWords(long('x'), long('y'))
    expect(parts.map(({ isDifferent }) => isDifferent)).toEqual([false, true, false])
  })

  test('never change the text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', ' ', '\n')), fc.array(fc.constantFrom('a', 'b', ' ', '\n')), (a, b) => {
        const [text, other] = [a.join(''), b.join('')]
        const parts = differingWords(text, other)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        if (text === other) expect(parts.some((part) => part.isDifferent)).toBe(false)
      }),
    )
  })
})
