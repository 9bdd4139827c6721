import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues } from './option-values.ts'
import type { RatingSettings } from './rating.ts'

export const ratingRules: QuestionRules<RatingSettings> = {
  check: (value, { settings: { options } }) => {
    if (typeof value !== 'number') return 'This question expects an integer value'
    return optionValues(options).has(value) ? null : notAnOption(value, options)
  },
}
