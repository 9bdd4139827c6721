/** The digit row in the order of the keyboard. */
const digitRow = '1234567890'

type Press = { readonly digit: string | null; readonly shift: boolean; readonly ctrl: boolean; readonly alt: boolean }

/**
 * Returns the index of the option that a key picks, or null. Each digit immediately picks one of the first ten options, because
 * waiting for a second digit would combine two quick picks into a different number. Shift picks the next ten.
 */
export const optionOfKey = ({ digit, shift, ctrl, alt }: Press, count: number): number | null => {
  if (digit === null || ctrl || alt) return null
  // Some keyboards need Shift to type digits. If there are at most ten options, Shift is therefore ignored.
  const index = digitRow.indexOf(digit) + (shift && count > digitRow.length ? digitRow.length : 0)
  return index < count ? index : null
}

/** Returns the key that picks an option, as printed on the keyboard. Null if there is none. */
export const capOfOption = (index: number): string | null => {
  const digit = digitRow[index % digitRow.length] ?? null
  return index < digitRow.length ? digit : index < 2 * digitRow.length ? `⇧${digit}` : null
}
