import { expect, test } from 'vitest'
import { dateKindOf, printDate } from './dates.ts'

test.each([
  [0, undefined, null],
  [14, undefined, 'date'],
  [22, undefined, 'date'],
  [46, undefined, 'span'],
  [49, undefined, null],
  [164, 'yyyy\\-mm\\-dd', 'date'],
  [164, '[$-407]d. mmmm yyyy', 'date'],
  [164, '[h]:mm:ss', 'span'],
  [164, '[Red]0.00', null],
  [164, '0.00E+00', null],
  [164, '"days" 0', null],
  [164, 'General', null],
  [164, '0\\d', null],
  [164, '_-* #,##0.00_-', null],
] as const)('the format %d %s is read as %s', (id, code, kind) => expect(dateKindOf(id, code)).toBe(kind))

test.each([
  [45351, 'date', false, '2024-02-29'],
  [45351.75, 'date', false, '2024-02-29T18:00:00'],
  [45351.123456, 'date', false, '2024-02-29T02:57:46.598'],
  [1, 'date', false, '1900-01-01'],
  [59, 'date', false, '1900-02-28'],
  [60, 'date', false, '1900-02-29'],
  [61, 'date', false, '1900-03-01'],
  [0.5, 'date', false, '12:00:00'],
  [0, 'date', true, '1904-01-01'],
  [43889, 'date', true, '2024-02-29'],
  [1.5, 'span', false, '36:00:00'],
  [-1, 'date', false, -1],
  [1e9, 'date', false, 1e9],
] as const)('%d as a %s with the 1904 epoch %s is printed as %s', (serial, kind, from1904, printed) => {
  expect(printDate(serial, kind, from1904)).toBe(printed)
})
