/**
 * How a language writes numbers. The build asks for it (`scripts/number-signs.ts`), because a browser takes 15 to 80 ms to make its first
 * formatter of numbers, while the first record waits.
 */
export type NumberSigns = {
  readonly decimal: string
  readonly group: string
  /** Thousands are kept apart from this number on. */
  readonly groupedFrom: number
  readonly minus: string
  /** What stands before and behind a percentage. */
  readonly percent: readonly [string, string]
}

export type NumberStyle = { readonly least: number; readonly most: number; readonly percent?: true }

const grouped = (whole: string, { group, groupedFrom }: NumberSigns): string => {
  if (Number(whole) < groupedFrom) return whole
  let text = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3) text = whole.slice(Math.max(0, end - 3), end) + group + text
  return text
}

/**
 * Writes a number as `Intl.NumberFormat` does, rounded half away from zero to at most `most` decimals and with at least `least` of them; as a percentage, of
 * a share of 1. Null for a number that is too large or too small for that.
 */
export const printNumber = (value: number, signs: NumberSigns, { least, most, percent }: NumberStyle): string | null => {
  const written = String(Math.abs(value))
  if (written.includes('e') || !Number.isFinite(value)) return null
  const [ahead = '', rest = ''] = written.split('.')
  const shift = percent ? 2 : 0
  const places = Math.min(most, Math.max(0, rest.length - shift))
  // The point goes that many places to the right, and what is behind it then decides which way to round.
  const end = ahead.length + shift + places
  const all = (ahead + rest).padEnd(end + 1, '0')
  const kept = Number(all.slice(0, end)) + (all.charAt(end) >= '5' ? 1 : 0)
  if (!Number.isSafeInteger(kept)) return null
  const digits = String(kept).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  let decimals = digits.slice(digits.length - places).padEnd(least, '0')
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  const sign = value < 0 || Object.is(value, -0) ? signs.minus : ''
  const fraction = decimals === '' ? '' : signs.decimal + decimals
  const [before, behind] = percent ? signs.percent : ['', '']
  return sign + before + grouped(whole, signs) + fraction + behind
}
