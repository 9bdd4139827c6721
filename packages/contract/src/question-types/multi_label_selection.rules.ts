import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

export const multiLabelSelectionRules: QuestionRules<WithOptions> = {
  hasAgreement: true,
  hasChoices: true,
  check: (value, { settings: { options } }) => {
    if (!Array.isArray(value)) return message('wantsOptions')
    if (value.length === 0) return 'This question expects a list of option values, found an empty list'
    const seen = new Set<unknown>()
    for (const item of value) {
      if (typeof item !== 'string') return message('wantsOptions')
      if (seen.has(item)) {
        return `This question expects a list of option values without duplicates, found ${JSON.stringify(item)} twice`
      }
      if (!optionValues(options).has(item)) return notAnOption(item, options)
      seen.add(item)
    }
    return null
  },
  replaceLabels: (value, replace) =>
    Array.isArray(value) && value.every((label) => typeof label === 'string') ? [...new Set(value.map(replace))] : value,
}
