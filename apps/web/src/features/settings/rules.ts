import { questionDescriptionMax, questionTitleMax } from '#lib/constants.ts'

/** A message key of the settings area with the message's values, or null if the checked value is valid. */
export type Fault = {
  readonly message: 'required' | 'tooLong' | 'wholeNumber' | 'tooGreat'
  readonly min?: number
  readonly max?: number
} | null

const length = (text: string): number => Array.from(text).length

/** Requires text that is not blank. */
export const requiredText = (text: string): Fault => (text.trim() === '' ? { message: 'required' } : null)

/** Requires at most `max` characters, not counting surrounding spaces. */
export const maxLength = (text: string, max: number): Fault => (length(text.trim()) > max ? { message: 'tooLong', max } : null)

export const questionTitle = (title: string): Fault => requiredText(title) ?? maxLength(title, questionTitleMax)
export const questionDescription = (description: string): Fault => maxLength(description, questionDescriptionMax)

/** Whether a string is a number from 0 to 100. */
export const isPercent = (typed: string): boolean => /^\d+(?:\.\d+)?$/.test(typed.trim()) && Number(typed) <= 100

export const wholeNumber = (typed: string, min: number, max = Number.MAX_SAFE_INTEGER): Fault => {
  if (typed.trim() === '') return { message: 'required' }
  if (!/^\d+$/.test(typed.trim()) || Number(typed) < min) return { message: 'wholeNumber', min }
  return Number(typed) > max ? { message: 'tooGreat', max } : null
}
