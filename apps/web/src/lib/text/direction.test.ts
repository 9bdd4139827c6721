import { expect, test as it } from 'vitest'
import { directionOf, directionOfInput, runsOf } from './direction.ts'

it.each([
  ['', 'ltr'],
  ['123 !?', 'ltr'],
  ['Hello world', 'ltr'],
  ['שלום עולם', 'rtl'],
  ['مرحبا Postil', 'ltr'],
  ['مرحبا بالعالم كيف الحال ABC', 'rtl'],
  ['123 ש', 'rtl'],
])('%j has the direction %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})

it.each([
  ['مرحبا', undefined, 'rtl'],
  ['مرحبا', 'search', 'rtl'],
  ['Hello', 'text', 'ltr'],
  ['Hello\nمرحبا', 'text', 'auto'],
  ['مرحبا', 'password', undefined],
  [undefined, 'text', undefined],
])('an input with %j of type %s has the direction %s', (value, type, direction) => {
  expect(directionOfInput(value, type)).toBe(direction)
})

it.each([
  ['Hello.\n\nHello', [['Hello.\n\nHello', 'ltr']]],
  ['1.\n\nשלום.\r\n\r\n2.\nשלום', [['1.\n\nשלום.\r\n\r\n2.\nשלום', 'rtl']]],
  [
    'Hello.\n\nשלום.\nPostil הוא כלי טוב.\n\nHello.\n',
    [
      ['Hello.\n\n', 'ltr'],
      ['שלום.\nPostil הוא כלי טוב.\n\n', 'rtl'],
      ['Hello.\n', 'ltr'],
    ],
  ],
])('%j is split into runs of lines with the same direction', (text, runs) => {
  expect(runsOf(text).map((run) => [run.text, run.direction])).toEqual(runs)
})
