import { expect, test } from 'vitest'
import { withoutAccents } from './without-accents.ts'

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
  ['Fußball', 'fussball'],
  ['STRAẞE', 'strasse'],
  ['Øresund', 'oresund'],
  ['Łódź', 'lodz'],
  ['Œuvre', 'oeuvre'],
  ['ΟΔΟΣ', 'οδοσ'],
])('%s matches %s', (name, typed) => {
  expect(withoutAccents(name)).toBe(withoutAccents(typed))
})

test.each([
  ['काल', 'किल'],
  ['नाम', 'नम'],
  ['น้ำ', 'นา'],
  ['กิน', 'กัน'],
  ['கால்', 'கல்'],
  ['かぎ', 'かき'],
  ['ভাষা', 'ভষ'],
])('%s and %s are different names', (name, other) => {
  expect(withoutAccents(name)).not.toBe(withoutAccents(other))
})
