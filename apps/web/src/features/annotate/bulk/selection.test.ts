import { describe, expect, test } from 'vitest'
import { emptySelection, extendedTo, ofAll, steppedTo, toggled } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids: selected }: { readonly ids: ReadonlySet<string> }) => [...selected].toSorted().join('')

describe('a selection', () => {
  test('takes single records and gives them back', () => {
    const two = toggled(toggled(emptySelection, 'b'), 'd')
    expect(ids(two)).toBe('bd')
    expect(ids(toggled(two, 'b'))).toBe('d')
  })

  test('takes a range from the last press, in both directions, beside what was selected before', () => {
    const one = toggled(toggled(emptySelection, 'a'), 'c')
    expect(ids(extendedTo(one, order, 'e'))).toBe('acde')
    expect(ids(extendedTo(one, order, 'b'))).toBe('abc')
  })

  test('forgets the longer range when the range gets shorter', () => {
    const long = extendedTo(toggled(emptySelection, 'b'), order, 'e')
    expect(ids(extendedTo(long, order, 'c'))).toBe('bc')
  })

  test('gives a range back after a record was given back', () => {
    expect(ids(extendedTo(toggled(ofAll(order), 'b'), order, 'd'))).toBe('ae')
  })

  test('starts anew where the range began on a record that is gone', () => {
    expect(ids(extendedTo(toggled(emptySelection, 'x'), order, 'c'))).toBe('cx')
    expect(ids(extendedTo(emptySelection, order, 'c'))).toBe('c')
  })

  test('grows and shrinks by steps, also from a record that was not selected', () => {
    const three = steppedTo(steppedTo(emptySelection, order, 'b', 'c'), order, 'c', 'd')
    expect(ids(three)).toBe('bcd')
    expect(ids(steppedTo(three, order, 'd', 'c'))).toBe('bc')
    expect(ids(steppedTo(toggled(ofAll(order), 'b'), order, 'b', 'c'))).toBe('abcde')
  })
})
