import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

const expected = 'This question expects a list of option values'

export const multiLabelSelectionRules: QuestionRules<WithOptions> = {
  check: (value, { settings: { options } }) => {
    if (!Array.isArray(value)) return expected
    if (value.length === 0) return `${expected}, found an empty list`
    const seen = new Set<unknown>()
    for (const item of value) {
      if (typeof item !== 'string') return expected
      if (seen.has(item)) return `${expected} without duplicates, found ${JSON.stringify(item)} twice`
      if (!optionValues(options).has(item)) return notAnOption(item, options)
      seen.add(item)
    }
    return null
  },
}
