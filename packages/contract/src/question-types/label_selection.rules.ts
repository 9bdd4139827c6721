import type { QuestionRules } from './define.ts'
import type { LabelSelectionSettings } from './label_selection.ts'
import { notAnOption, optionValues } from './option-values.ts'

export const labelSelectionRules: QuestionRules<LabelSelectionSettings> = {
  check: (value, { settings: { options } }) => {
    if (typeof value !== 'string') return 'This question expects one option value as text'
    return optionValues(options).has(value) ? null : notAnOption(value, options)
  },
}
