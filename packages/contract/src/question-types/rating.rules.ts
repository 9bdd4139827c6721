import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

export const ratingRules: QuestionRules<WithOptions> = {
  hasAgreement: true,
  hasChoices: true,
  check: (value, { settings: { options } }) => {
    if (typeof value !== 'number') return message('wantsInteger')
    return optionValues(options).has(value) ? null : notAnOption(value, options)
  },
}
