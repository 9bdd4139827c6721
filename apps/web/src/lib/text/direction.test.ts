import { expect, test as it } from 'vitest'
import { directionOf, directionOfInput } from './direction.ts'

it.each([
  ['', 'ltr'],
  ['123 !?', 'ltr'],
  ['Hello world', 'ltr'],
  ['שלום עולם', 'rtl'],
  ['مرحبا Postil', 'ltr'],
  ['مرحبا بالعالم كيف الحال ABC', 'rtl'],
  ['123 ש', 'rtl'],
])('%j reads %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})

it.each([
  ['مرحبا', undefined, 'rtl'],
  ['مرحبا', 'search', 'rtl'],
  ['Hello', 'text', 'ltr'],
  ['مرحبا', 'password', undefined],
  [undefined, 'text', undefined],
])('an input that holds %j, of the type %s, reads %s', (value, type, direction) => {
  expect(directionOfInput(value, type)).toBe(direction)
})
