import { describe, expect, test } from 'vitest'
import { moved, optionsFault, optionsUpdate, visibleCount } from './option-settings.ts'

const options = ['a', 'b', 'c', 'd'].map((value) => ({ value, text: value.toUpperCase(), description: null }))

describe('settings of options', () => {
  test('an option moves to any place of the list and to none outside', () => {
    expect(moved([1, 2, 3], 0, 2)).toEqual([2, 3, 1])
    expect(moved([1, 2, 3], 2, 0)).toEqual([3, 1, 2])
    expect(moved([1, 2, 3], 1, 1)).toEqual([1, 2, 3])
    expect(moved([1, 2, 3], 2, 3)).toEqual([1, 2, 3])
    expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3])
  })

  test('the number of visible options is sent only for more than three options', () => {
    expect(optionsUpdate({ options, visible_options: 3 })).toEqual({ options, visible_options: 3 })
    expect(optionsUpdate({ options: options.slice(0, 3), visible_options: 3 })).toEqual({ options: options.slice(0, 3) })
    expect(optionsUpdate({ options, visible_options: null })).toEqual({ options })
  })

  test('all options are visible where nothing else is said', () => {
    expect(visibleCount({ options, visible_options: null })).toBe(4)
    expect(visibleCount({ options, visible_options: 3 })).toBe(3)
  })

  test('an option without a text is refused', () => {
    expect(optionsFault({ options, visible_options: null })).toBeNull()
    expect(optionsFault({ options: [...options, { value: 'e', text: '  ', description: null }], visible_options: null })).toBe(
      'empty',
    )
  })
})
