import { questionDescriptionMax, questionTitleMax } from '#lib/constants.ts'

/** A message of the area and its values, or null when the value is good. */
export type Fault = {
  readonly message: 'required' | 'tooLong' | 'wholeNumber' | 'tooGreat'
  readonly min?: number
  readonly max?: number
} | null

const length = (text: string): number => Array.from(text).length

/** A text that may not be empty; blanks count as nothing. */
export const required = (text: string): Fault => (text.trim() === '' ? { message: 'required' } : null)

/** A text of at most `max` characters, blanks around it left out. */
export const atMost = (text: string, max: number): Fault => (length(text.trim()) > max ? { message: 'tooLong', max } : null)

export const questionTitle = (title: string): Fault => required(title) ?? atMost(title, questionTitleMax)
export const questionDescription = (description: string): Fault => atMost(description, questionDescriptionMax)

/** A whole number from `min` on, as it was typed. */
export const wholeNumber = (typed: string, min: number, max = Number.MAX_SAFE_INTEGER): Fault => {
  if (typed.trim() === '') return { message: 'required' }
  if (!/^\d+$/.test(typed.trim()) || Number(typed) < min) return { message: 'wholeNumber', min }
  return Number(typed) > max ? { message: 'tooGreat', max } : null
}
