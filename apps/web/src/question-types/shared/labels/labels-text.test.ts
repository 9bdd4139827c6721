import { expect, test } from 'vitest'
import { labelFaults, labelsFault, optionsOf } from './labels-text.ts'

test('a repeated label is reported at the later row', () => {
  const rows = ['a', 'b', ' a ', '', ''].map((text, key) => ({ key: String(key), text }))
  expect([...labelFaults(rows)]).toEqual([['2', 'a']])
})

test('invalid labels are reported', () => {
  const fault = (...labels: readonly string[]) => labelsFault({ options: optionsOf(labels) }, { min: 2, max: 3 })
  expect(fault('a', 'b')).toBeNull()
  expect(fault('a', '', 'b')).toBe('empty')
  expect(fault('a')).toBe('atLeastTwo')
  expect(fault('a', 'b', 'c', 'd')).toBe('tooMany')
  expect(fault('a', 'b', 'a')).toBe('twice')
  expect(fault('a', 'b'.repeat(201))).toBe('tooLong')
  expect(labelsFault({ options: [] }, { min: 1, max: 3 })).toBe('atLeastOne')
})
