import { expect, it } from 'vitest'
import { comparableText } from './comparable-text.ts'

it('is the same for equal values, whatever the order of their keys and items', () => {
  const spans = [
    { label: 'a', start: 0, end: 2 },
    { end: 9, start: 4, label: 'b', score: null },
  ]
  const same = [
    { label: 'b', start: 4, end: 9 },
    { start: 0, end: 2, label: 'a' },
  ]
  expect(comparableText(spans)).toBe(comparableText(same))
  expect(comparableText(['x', 'y'])).toBe(comparableText(['y', 'x']))
})

it('is different for different values', () => {
  const values = [
    null,
    1,
    '1',
    'a',
    'a,b',
    ['a', 'b'],
    ['a,b'],
    [],
    {},
    { a: 1 },
    { a: '1' },
    { b: 1 },
    { a: 1, b: 2 },
    [{ a: 1 }],
  ]
  expect(new Set(values.map(comparableText)).size).toBe(values.length)
})
