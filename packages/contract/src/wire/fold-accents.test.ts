import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAccents } from './fold-accents.ts'

test.each([
  ['café', 'cafe'],
  ['CAFE\u0301', 'CAFE'],
  ['Ångström', 'Angstrom'],
  ['Fußball', 'Fussball'],
  ['Łódź', 'Lodz'],
  ['smørrebrød', 'smorrebrod'],
  ['Tiếng Việt', 'Tieng Viet'],
  ['ёлка', 'елка'],
  ['άλφα', 'αλφα'],
  ['שָׁלוֹם', 'שלום'],
  ['naïve–naïveté', 'naive–naivete'],
])('%s is compared as %s', (text, folded) => expect(foldAccents(text)).toBe(folded))

test.each(['hello', 'が', 'パン', 'कि', 'กี่', '한국어', '漢字', '❤️', '1️⃣', '👍🏽', 'a\u200db'])('%s has no accents', (text) =>
  expect(foldAccents(text)).toBe(text.normalize('NFC')),
)

test('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(foldAccents(foldAccents(text))).toBe(foldAccents(text))
    }),
    { numRuns: 5_000 },
  )
})
