import { expect, test } from 'vitest'
import { labelsFault, optionsOf, printLabels, readLabels } from './labels-text.ts'

const words = (typed: string) => readLabels(typed).map(({ value }) => value)

test('labels are separated by commas or line breaks', () => {
  expect(words('good, bad ,so so')).toEqual(['good', 'bad', 'so so'])
  expect(words('a, b\nc')).toEqual(['a, b', 'c'])
  expect(words('good, bad, ')).toEqual(['good', 'bad'])
  expect(words('good,, bad')).toEqual(['good', '', 'bad'])
  expect(words('')).toEqual([])
})

test('printed labels are read back unchanged', () => {
  for (const labels of [['a', 'b'], ['a, b', 'c'], ['one'], []]) {
    expect(words(printLabels(optionsOf(labels)))).toEqual(labels)
  }
})

test('a single label with a comma is read back if a line break follows', () => {
  expect(words(`${printLabels(optionsOf(['a, b']))}\n`)).toEqual(['a, b'])
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
