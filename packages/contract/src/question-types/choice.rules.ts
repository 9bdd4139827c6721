import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { offeredTexts } from './offered-texts.ts'

type Fields = { readonly [name: string]: unknown }

/** The options that a record offers. */
export const optionsOfRecord = (fields: Fields, field: string): readonly string[] =>
  Object.hasOwn(fields, field) ? offeredTexts(fields[field]) : []

const maxShown = 20
const maxShownLength = 100
const shorten = (text: string): string =>
  JSON.stringify(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text)

/** Each answer is one of the options in a field of the record. If the field lists no options, the answer is an empty string. */
export const choiceRules: QuestionRules<{ readonly choose_from: string }> = {
  hasAgreement: true,
  check: (value, { settings: { choose_from: field }, fields }) => {
    if (typeof value !== 'string') return message('wantsText')
    const offered = optionsOfRecord(fields, field)
    if (offered.length === 0) return value === '' ? null : message('choiceNoOptions', { field })
    if (offered.includes(value)) return null
    const more = offered.length > maxShown ? `, and ${offered.length - maxShown} more` : ''
    const options = `${offered.slice(0, maxShown).map(shorten).join(', ')}${more}`
    return message('choiceNotOffered', { value: shorten(value), field, options })
  },
}
