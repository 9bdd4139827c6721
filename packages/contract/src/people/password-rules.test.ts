import { expect, test } from 'vitest'
import { passwordFault } from './password-rules.ts'

test.each([
  ['', 'length'],
  ['1234567', 'length'],
  ['🐟'.repeat(7), 'length'],
  ['x'.repeat(101), 'length'],
  [' '.repeat(7), 'length'],
  [' '.repeat(8), 'blank'],
  ['\t\n \u00a0\u2003\u3000\u200b\ufeff', 'blank'],
  ['\u2060\u3164\u00ad\u200d\u202e\u0007\u0000\u115f', 'blank'],
  [`${' '.repeat(7)}x`, null],
  ['        •', null],
  ['пароль д', null],
  ['🐟'.repeat(8), null],
  ['🐟'.repeat(100), null],
] as const)('the password %j is checked', (text, fault) => {
  expect(passwordFault(text)).toBe(fault)
})
