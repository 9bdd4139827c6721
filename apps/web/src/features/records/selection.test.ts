import { describe, expect, test } from 'vitest'
import { toggled } from './selection.ts'

const chosen = (...ids: string[]) => ({ all: false, ids: new Set(ids) })

describe('a press on a record', () => {
  test('adds the record to the selection and removes it again', () => {
    expect(toggled(chosen('a'), 'b', ['a', 'b', 'c'])).toEqual(chosen('a', 'b'))
    expect(toggled(chosen('a', 'b'), 'a', ['b', 'c'])).toEqual(chosen('b'))
  })

  test('leaves the other loaded records selected if all were', () => {
    const all = { all: true, ids: new Set<string>() }
    expect(toggled(all, 'b', ['a', 'b', 'c'])).toEqual(chosen('a', 'c'))
    expect(toggled(all, 'a', ['a'])).toEqual(chosen())
  })
})
