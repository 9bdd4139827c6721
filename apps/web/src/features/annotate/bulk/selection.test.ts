import { describe, expect, test } from 'vitest'
import { emptySelection, extendSelection, selectAll, stepSelection, toggleRecord } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids: selected }: { readonly ids: ReadonlySet<string> }) => [...selected].toSorted().join('')

describe('a selection', () => {
  test('adds and removes single records', () => {
    const two = toggleRecord(toggleRecord(emptySelection, 'b'), 'd')
    expect(ids(two)).toBe('bd')
    expect(ids(toggleRecord(two, 'b'))).toBe('d')
  })

  test('adds a range from the last click in both directions to the existing selection', () => {
    const one = toggleRecord(toggleRecord(emptySelection, 'a'), 'c')
    expect(ids(extendSelection(one, order, 'e'))).toBe('acde')
    expect(ids(extendSelection(one, order, 'b'))).toBe('abc')
  })

  test('drops the rest of a longer range when the range is shortened', () => {
    const long = extendSelection(toggleRecord(emptySelection, 'b'), order, 'e')
    expect(ids(extendSelection(long, order, 'c'))).toBe('bc')
  })

  test('removes a range after a record was deselected', () => {
    expect(ids(extendSelection(toggleRecord(selectAll(order), 'b'), order, 'd'))).toBe('ae')
  })

  test('starts over if the range began on a removed record', () => {
    expect(ids(extendSelection(toggleRecord(emptySelection, 'x'), order, 'c'))).toBe('cx')
    expect(ids(extendSelection(emptySelection, order, 'c'))).toBe('c')
  })

  test('grows and shrinks in steps, even from a record that was not selected', () => {
    const three = stepSelection(stepSelection(emptySelection, order, 'b', 'c'), order, 'c', 'd')
    expect(ids(three)).toBe('bcd')
    expect(ids(stepSelection(three, order, 'd', 'c'))).toBe('bc')
    expect(ids(stepSelection(toggleRecord(selectAll(order), 'b'), order, 'b', 'c'))).toBe('abcde')
  })
})
