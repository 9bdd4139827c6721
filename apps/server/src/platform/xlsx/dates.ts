/** Whether a number is displayed as a date, as a duration or as a plain number. */
export type DateKind = 'date' | 'span' | null

/**
 * Whether the ID of a number format stands for a built-in date format. Workbooks contain only the IDs of such formats, not the
 * formats themselves. Source: ECMA-376, 18.8.30, including the formats of East Asian locales.
 */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58)

/**
 * Maximum length of a format written by spreadsheet programs. Longer texts are not formats and would take too long to check.
 */
const LONGEST = 255

export const dateKindOf = (id: number, code: string | undefined): DateKind => {
  if (code === undefined) return id === 46 ? 'span' : isBuiltInDate(id) ? 'date' : null
  const bare = code.slice(0, LONGEST).replace(/"[^"]*"|\\.|_.|\*./g, '')
  if (/\[(h+|m+|s+)\]/i.test(bare)) return 'span'
  return /[dmyhs]/i.test(bare.replace(/\[[^\]]*\]/g, '').replace(/general/gi, '')) ? 'date' : null
}

const DAY_MS = 86_400_000
/** Exclusive upper limit of the dates that a workbook can display, which end at 9999-12-31. */
const LAST = 2_958_466
const OFFSET_1904 = 1462
const two = (value: number): string => String(value).padStart(2, '0')

const clock = (ms: number): string => {
  const whole = Math.floor(ms / 1000)
  const rest = ms % 1000
  const text = `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return rest === 0 ? text : `${text}.${String(rest).padStart(3, '0')}`
}

/**
 * Prints a number as a date in ISO 8601: a day, a day with a time, a time alone, or a duration starting with hours. A number that
 * isn't a date stays a number. Days are counted from 1904 or 1900. Counts from 1900 include February 29, 1900, which never
 * existed.
 */
export const printDate = (serial: number, kind: Exclude<DateKind, null>, from1904: boolean): string | number => {
  const ms = Math.round(serial * DAY_MS)
  if (!(serial >= 0 && serial < LAST)) return serial
  if (kind === 'span') return clock(ms)
  const days = Math.floor(ms / DAY_MS)
  const time = ms - days * DAY_MS
  if (days === 0 && !from1904) return clock(time)
  const count = from1904 ? days + OFFSET_1904 : days
  if (count === 60) return time === 0 ? '1900-02-29' : `1900-02-29T${clock(time)}`
  const day = new Date(Date.UTC(1899, 11, count > 60 ? 30 : 31) + count * DAY_MS).toISOString().slice(0, 10)
  return time === 0 ? day : `${day}T${clock(time)}`
}
