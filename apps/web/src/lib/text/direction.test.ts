import { expect, test as it } from 'vitest'
import { directionOf } from './direction.ts'

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
