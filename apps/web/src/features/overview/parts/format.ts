import { currentLanguage } from '#i18n/texts.ts'

const formats = new Map<string, Intl.NumberFormat>()
const formatted = (value: number, digits: number, style: 'decimal' | 'percent'): string => {
  const key = `${currentLanguage()} ${digits} ${style}`
  const known =
    formats.get(key) ??
    new Intl.NumberFormat(currentLanguage(), { style, minimumFractionDigits: digits, maximumFractionDigits: digits })
  formats.set(key, known)
  return known.format(value)
}

/** A coefficient with two decimals. */
export const formatCoefficient = (value: number): string => formatted(value, 2, 'decimal')
/** A share without decimals. It is shown as 0% or 100% only if that is the exact value. */
export const formatShare = (part: number, whole: number): string => {
  if (whole === 0) return '–'
  const share = part / whole
  return formatted(share > 0 && share < 1 ? Math.min(0.99, Math.max(0.01, share)) : share, 0, 'percent')
}
/** A difference between two shares in percentage points, with its sign. */
export const formatPoints = (difference: number): string =>
  new Intl.NumberFormat(currentLanguage(), { signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(difference * 100)
/** A number of answers per day with at most one decimal. */
export const formatPerDay = (value: number): string => formatted(value, value < 10 && value % 1 !== 0 ? 1 : 0, 'decimal')
