import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

export const labelSelectionRules: QuestionRules<WithOptions> = {
  check: (value, { settings: { options } }) => {
    if (typeof value !== 'string') return 'This question expects one option value as text'
    return optionValues(options).has(value) ? null : notAnOption(value, options)
  },
}
