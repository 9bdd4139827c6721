import { jsonEquals } from '@postil/contract/wire/json.ts'
import { describe, expect, test } from 'vitest'
import { baseOf, changesOf, conflictsOf, merge } from './merge.ts'

const option = (value: string, text = value) => ({ value, text, description: null })

describe("merging two people's changes to a value", () => {
  test("keeps the other person's values wherever this person changed nothing", () => {
    expect(merge({ a: 1, b: { c: 1, d: 1 } }, { a: 1, b: { c: 2, d: 1 } }, { a: 3, b: { c: 4, d: 5 } })).toEqual({
      a: 3,
      b: { c: 2, d: 5 },
    })
  })

  test('includes what either person added, and excludes what either removed', () => {
    const base: { [key: string]: number } = { a: 1, b: 1 }
    expect(merge(base, { a: 1, mine: 1 }, { b: 1, theirs: 1 })).toEqual({ mine: 1, theirs: 1 })
  })

  test('matches options by value, and uses the order of the person who changed it', () => {
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

describe("a conflict between two people's changes", () => {
  const base = { title: 'a', note: 'a', options: [option('x'), option('y')] }
  const mine = { title: 'mine', note: 'a', options: [option('x', 'Mine'), option('y', 'Mine')] }
  const theirs = { title: 'theirs', note: 'theirs', options: [option('x', 'Theirs'), option('y')] }

  test('is reported by its path, including for a label', () => {
    expect(conflictsOf(base, mine, theirs)).toEqual([
      { path: ['title'], mine: 'mine', theirs: 'theirs' },
      { path: ['options', 'x', 'text'], mine: 'Mine', theirs: 'Theirs' },
    ])
  })

  test('does not exist if only one person changed the value, or both made the same change', () => {
    expect(conflictsOf(base, mine, base)).toEqual([])
    expect(conflictsOf(base, base, theirs)).toEqual([])
    expect(conflictsOf(base, mine, mine)).toEqual([])
  })

  test('includes an order that both changed', () => {
    const [a, b, c] = [option('a'), option('b'), option('c')]
    const found = conflictsOf([a, b, c], [b, a, c], [c, b, a])
    expect(found).toEqual([{ path: [], mine: ['b', 'a', 'c'], theirs: ['c', 'b', 'a'] }])
  })

  test('persists if editing continues from the merged form, and excludes changes already seen', () => {
    const shown = merge(base, mine, theirs)
    const next = { ...shown, title: 'mine too', note: 'upon theirs' }
    const begun = baseOf(base, shown, theirs)
    expect(begun).toEqual({ title: 'a', note: 'theirs', options: [option('x'), option('y')] })
    expect(conflictsOf(begun, next, theirs).map(({ path }) => path)).toEqual([['title'], ['options', 'x', 'text']])
  })

  test("takes the other person's values if they are chosen, and leaves the rest unchanged", () => {
    expect(merge(base, theirs, mine)).toEqual({
      title: 'theirs',
      note: 'theirs',
      options: [option('x', 'Theirs'), option('y', 'Mine')],
    })
  })
})

test('the order of keys makes no difference, the order of items does', () => {
  expect(jsonEquals({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
  expect(jsonEquals([1, 2], [2, 1])).toBe(false)
})

test('only changed keys are sent', () => {
  expect(changesOf({ title: 'a', settings: { x: 1 } }, { title: 'b', settings: { x: 1 } })).toEqual({ title: 'b' })
})
