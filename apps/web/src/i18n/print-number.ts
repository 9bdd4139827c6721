/**
 * How a language writes numbers. The build generates it (`scripts/number-signs.ts`), because a browser needs 15 to 80 ms to
 * create its first number formatter, which would delay the first record.
 */
export type NumberSigns = {
  readonly decimal: string
  readonly group: string
  /** The smallest number that gets thousands separators. */
  readonly groupedFrom: number
  readonly minus: string
  /** The text before and after a percentage. */
  readonly percent: readonly [string, string]
}

export type NumberStyle = { readonly least: number; readonly most: number; readonly percent?: true }

const groupDigits = (whole: string, { group, groupedFrom }: NumberSigns): string => {
  if (Number(whole) < groupedFrom) return whole
  let text = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3) text = whole.slice(Math.max(0, end - 3), end) + group + text
  return text
}

/**
 * Formats a number as `Intl.NumberFormat` does, rounded half away from zero, with `least` to `most` decimals. With `percent`,
 * the value is a fraction: 1 is 100%. Returns null if the number is too large or too small to format here.
 */
export const printNumber = (value: number, signs: NumberSigns, { least, most, percent }: NumberStyle): string | null => {
  const digitText = String(Math.abs(value))
  if (digitText.includes('e') || !Number.isFinite(value)) return null
  const [integerDigits = '', rest = ''] = digitText.split('.')
  const exponent = percent ? 2 : 0
  const places = Math.min(most, Math.max(0, rest.length - exponent))
  // The index of the first digit that is cut off. This digit decides the rounding.
  const end = integerDigits.length + exponent + places
  const all = (integerDigits + rest).padEnd(end + 1, '0')
  const keptDigits = Number(all.slice(0, end)) + (all.charAt(end) >= '5' ? 1 : 0)
  if (!Number.isSafeInteger(keptDigits)) return null
  const digits = String(keptDigits).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  let decimals = digits.slice(digits.length - places).padEnd(least, '0')
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  const sign = value < 0 || Object.is(value, -0) ? signs.minus : ''
  const fraction = decimals === '' ? '' : signs.decimal + decimals
  const [before, behind] = percent ? signs.percent : ['', '']
  return sign + before + groupDigits(whole, signs) + fraction + behind
}
