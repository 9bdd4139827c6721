import { isAtLeast, isAtMost } from '../wire/code-points.ts'

/** The minimum and maximum length of a new password, in characters. */
export const passwordMin = 8
export const passwordMax = 100

const invisibleCharacters = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u

/** True for text that consists only of whitespace and other invisible characters. */
export const isBlank = (text: string): boolean => invisibleCharacters.test(text)

/**
 * Why a person can't choose this text as a new password. Null if they can. Programs that use Argilla's API may set any password
 * of a valid length.
 */
export const passwordFault = (text: string): 'length' | 'blank' | null => {
  if (!isAtLeast(text, passwordMin) || !isAtMost(text, passwordMax)) return 'length'
  return isBlank(text) ? 'blank' : null
}
