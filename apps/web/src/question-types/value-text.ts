import { comparableText } from '@postil/contract/comparable-text.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

type Options = { readonly options?: readonly (Option | { readonly value: number })[] }

const labelOf = ({ settings }: Question, value: unknown): string => {
  const found = (settings as Options).options?.find((option) => option.value === value)
  return found && 'text' in found && found.text !== '' ? found.text : String(value)
}

/**
 * Returns an answer as a single line of text. Depends only on the form of the value, so that it also works for question types
 * that are added later.
 */
export const valueText = (question: Question, value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => valueText(question, item)).join(', ')
  if (typeof value !== 'object' || value === null) return labelOf(question, value)
  const { value: ranked, label } = value as { readonly value?: unknown; readonly label?: unknown }
  return labelOf(question, ranked ?? label)
}

/** Whether values are equal. The order of labels, spans and ranked options doesn't matter, as on the server. */
export const isSameValue = (a: unknown, b: unknown): boolean => comparableText(a as JsonValue) === comparableText(b as JsonValue)
