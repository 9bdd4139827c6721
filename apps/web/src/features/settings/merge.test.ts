import { jsonEquals } from '@postil/contract/wire/json.ts'
import { describe, expect, test } from 'vitest'
import { baseOf, changesOf, conflictsOf, merge } from './merge.ts'

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

describe('what one person would overwrite of what others made', () => {
  const base = { title: 'a', note: 'a', options: [option('x'), option('y')] }
  const mine = { title: 'mine', note: 'a', options: [option('x', 'Mine'), option('y', 'Mine')] }
  const theirs = { title: 'theirs', note: 'theirs', options: [option('x', 'Theirs'), option('y')] }

  test('is told by its place, also of a label', () => {
    expect(conflictsOf(base, mine, theirs)).toEqual([
      { path: ['title'], mine: 'mine', theirs: 'theirs' },
      { path: ['options', 'x', 'text'], mine: 'Mine', theirs: 'Theirs' },
    ])
  })

  test('is nothing where only one has changed it, or both the same', () => {
    expect(conflictsOf(base, mine, base)).toEqual([])
    expect(conflictsOf(base, base, theirs)).toEqual([])
    expect(conflictsOf(base, mine, mine)).toEqual([])
  })

  test('is an order that both have changed', () => {
    const [a, b, c] = [option('a'), option('b'), option('c')]
    const found = conflictsOf([a, b, c], [b, a, c], [c, b, a])
    expect(found).toEqual([{ path: [], mine: ['b', 'a', 'c'], theirs: ['c', 'b', 'a'] }])
  })

  test('stays told when one goes on with what is shown by then, and what one has seen is no part of it', () => {
    const shown = merge(base, mine, theirs)
    const next = { ...shown, title: 'mine too', note: 'upon theirs' }
    const begun = baseOf(base, shown, theirs)
    expect(begun).toEqual({ title: 'a', note: 'theirs', options: [option('x'), option('y')] })
    expect(conflictsOf(begun, next, theirs).map(({ path }) => path)).toEqual([['title'], ['options', 'x', 'text']])
  })

  test('is theirs where they are taken, and all else as it was', () => {
    expect(merge(base, theirs, mine)).toEqual({
      title: 'theirs',
      note: 'theirs',
      options: [option('x', 'Theirs'), option('y', 'Mine')],
    })
  })
})

test('the order of keys is no difference, that of items is one', () => {
  expect(jsonEquals({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
  expect(jsonEquals([1, 2], [2, 1])).toBe(false)
})

test('only changed keys are sent', () => {
  expect(changesOf({ title: 'a', settings: { x: 1 } }, { title: 'b', settings: { x: 1 } })).toEqual({ title: 'b' })
})
