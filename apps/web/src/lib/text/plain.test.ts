import { expect, test } from 'vitest'
import { plainOf } from './plain.ts'

test.each([
  ['Ärger', 'arger'],
  ['NAI\u0308VE', 'naïve'],
  ['Ёлка', 'елка'],
  ['مُحَمَّد', 'محمد'],
  ['أحمد', 'احمد'],
  ['שָׁלוֹם', 'שלום'],
  ['İstanbul', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['ＡＢＣ ｶﾅ', 'abc カナ'],
  ['❤️', '❤'],
])('%s is found as %s', (name, typed) => {
  expect(plainOf(name)).toBe(plainOf(typed))
})

test.each([
  ['काल', 'किल'],
  ['नाम', 'नम'],
  ['น้ำ', 'นา'],
  ['กิน', 'กัน'],
  ['கால்', 'கல்'],
  ['かぎ', 'かき'],
  ['ভাষা', 'ভষ'],
])('%s is another name than %s', (name, other) => {
  expect(plainOf(name)).not.toBe(plainOf(other))
})
