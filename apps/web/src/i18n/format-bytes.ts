import { formatNumber } from './format.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const step = 1000

/** Formats a size with at most one decimal: 12.4 MB. */
export const formatBytes = (bytes: number): string => {
  let [value, unit] = [bytes, 0]
  while (value >= step && unit < units.length - 1) {
    value /= step
    unit += 1
  }
  return `${formatNumber(Math.round(value * 10) / 10)} ${units[unit]}`
}
