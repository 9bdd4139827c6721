import { jsonEquals } from '@postil/contract/json.ts'
import { describe, expect, test } from 'vitest'
import { changesOf, merge } from './merge.ts'

const option = (value: string, text = value) => ({ value, text, description: null })

describe('what one person made of a value, with what others made of it', () => {
  test('keeps theirs wherever this person changed nothing', () => {
    expect(merge({ a: 1, b: { c: 1, d: 1 } }, { a: 1, b: { c: 2, d: 1 } }, { a: 3, b: { c: 4, d: 5 } })).toEqual({
      a: 3,
      b: { c: 2, d: 5 },
    })
  })

  test('has what either added, and not what either took away', () => {
    const base: { [key: string]: number } = { a: 1, b: 1 }
    expect(merge(base, { a: 1, mine: 1 }, { b: 1, theirs: 1 })).toEqual({ mine: 1, theirs: 1 })
  })

  test('knows options by their values, with the order of whoever changed it', () => {
    const base = [option('a'), option('b'), option('c')]
    const theirs = [option('c', 'Theirs'), option('b', 'Theirs'), option('a')]
    expect(merge(base, [option('a', 'Mine'), option('b'), option('c')], theirs)).toEqual([
      option('c', 'Theirs'),
      option('b', 'Theirs'),
      option('a', 'Mine'),
    ])
    expect(merge(base, [option('b'), option('a'), option('c')], theirs)).toEqual([
      option('b', 'Theirs'),
      option('a'),
      option('c', 'Theirs'),
    ])
    const both = [option('a'), option('b', 'Mine'), option('c')]
    expect(merge(base, both, theirs)[1]).toEqual(option('b', 'Mine'))
  })
})

test('the order of keys is no difference, that of items is one', () => {
  expect(jsonEquals({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
  expect(jsonEquals([1, 2], [2, 1])).toBe(false)
})

test('only changed keys are sent', () => {
  expect(changesOf({ title: 'a', settings: { x: 1 } }, { title: 'b', settings: { x: 1 } })).toEqual({ title: 'b' })
})
