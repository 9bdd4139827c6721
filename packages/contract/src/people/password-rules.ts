import { isAtLeast, isAtMost } from '../wire/code-points.ts'

/** Characters of a new password, at least and at most. */
export const passwordMin = 8
export const passwordMax = 100

const unseen = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u

/** True for text of blanks alone, and of other characters that nobody sees. */
export const isBlank = (text: string): boolean => unseen.test(text)

/**
 * What keeps a text from being a new password where a person chooses one; null when nothing does. Programs made for the published wire
 * may give any text of its length.
 */
export const passwordFault = (text: string): 'length' | 'blank' | null => {
  if (!isAtLeast(text, passwordMin) || !isAtMost(text, passwordMax)) return 'length'
  return isBlank(text) ? 'blank' : null
}
