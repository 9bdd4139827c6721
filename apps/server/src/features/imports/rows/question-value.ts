import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { castTo } from './cast.ts'
import { trimmedLabel } from './labels.ts'

/**
 * Treats a blank string as missing, for targets that can't use it. A file that quotes every cell has blank strings instead of
 * empty cells.
 */
export const filled = (value: unknown): unknown => (typeof value === 'string' && value.trim() === '' ? null : value)
export const isPresent = (value: unknown): boolean => value !== null && value !== undefined

/** Casts a value in a row to the type of the question's values, without validating it. Undefined if the value is missing. */
export const questionValue = (settings: QuestionSettings, sent: unknown): unknown => {
  const value = 'options' in settings ? filled(sent) : sent
  if (!isPresent(value)) return undefined
  const { column, imported } = serverQuestionType(settings)
  const read = castTo[column](value)
  const cast = imported?.(read) ?? read
  const options: ReadonlySet<unknown> = new Set('options' in settings ? settings.options.map((one) => one.value) : [])
  return Array.isArray(cast) ? cast.map((one) => trimmedLabel(one, options)) : trimmedLabel(cast, options)
}
