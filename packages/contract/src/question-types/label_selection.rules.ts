import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

export const labelSelectionRules: QuestionRules<WithOptions> = {
  hasAgreement: true,
  hasChoices: true,
  check: (value, { settings: { options } }) => {
    if (typeof value !== 'string') return message('wantsOption')
    return optionValues(options).has(value) ? null : notAnOption(value, options)
  },
  replaceLabels: (value, replace) => (typeof value === 'string' ? replace(value) : value),
}
