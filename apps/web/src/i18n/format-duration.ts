import { currentLanguage } from './texts.ts'

/** Formats a duration, given in milliseconds, as "4.2 sec" or "3.5 min". Values below ten have one decimal. */
export const formatDuration = (ms: number): string => {
  const seconds = ms / 1000
  const [value, unit] = seconds < 100 ? [seconds, 'second'] : [seconds / 60, 'minute']
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits }).format(value)
}
