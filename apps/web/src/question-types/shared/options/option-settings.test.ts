import { describe, expect, test } from 'vitest'
import { optionFaults, optionsFault, optionsUpdate, visibleCount } from './option-settings.ts'

const options = ['a', 'b', 'c', 'd'].map((value) => ({ value, text: value.toUpperCase(), description: null }))

describe('option settings', () => {
  test('the number of visible options is sent only for more than three options', () => {
    const sent = options.map((option) => ({ ...option, parent: null }))
    expect(optionsUpdate({ options, visible_options: 3 })).toEqual({ options: sent, visible_options: 3 })
    expect(optionsUpdate({ options: options.slice(0, 3), visible_options: 3 })).toEqual({ options: sent.slice(0, 3) })
    expect(optionsUpdate({ options, visible_options: null })).toEqual({ options: sent })
  })

  test('all options are visible by default', () => {
    expect(visibleCount({ options, visible_options: null })).toBe(4)
    expect(visibleCount({ options, visible_options: 3 })).toBe(3)
  })

  const withText = (value: string, text: string) => options.map((one) => (one.value === value ? { ...one, text } : one))
  const faults = (changed: typeof options, stored = options) => Object.fromEntries(optionFaults(changed, stored))

  test('an option without a text or with a duplicate text is reported at its input', () => {
    expect(faults(options)).toEqual({})
    expect(faults(withText('b', '  '))).toEqual({ b: 'empty' })
    expect(faults(withText('b', ' D '))).toEqual({ b: 'twice' })
    expect(faults(withText('b', 'd'))).toEqual({})
    expect(optionsFault({ options: withText('b', 'D'), visible_options: null }, { options, visible_options: null })).toBe('twice')
    expect(optionsFault({ options, visible_options: null }, { options, visible_options: null })).toBeNull()
  })

  test('two options can swap texts, and stored duplicates are not reported', () => {
    const [a, b, ...rest] = options
    if (!a || !b) throw new Error('no options')
    expect(faults([{ ...a, text: 'B' }, { ...b, text: 'A' }, ...rest])).toEqual({})
    const twice = withText('b', 'A')
    expect(faults(twice, twice)).toEqual({})
  })
})
