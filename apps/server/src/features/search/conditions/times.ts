import { unprocessable } from '@postil/contract/wire/errors.ts'

const pattern =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?)?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

const MICROS = 1_000_000
const unitMicros = { day: 86_400 * MICROS, hour: 3600 * MICROS, minute: 60 * MICROS, second: MICROS }

const offsetMicros = (zone: string | undefined): number => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || 0)]
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * unitMicros.minute
}

/** Returns the start of the next month. Also works for December. */
const nextMonth = (year: number, month: number): number => Date.UTC(year, month, 1) * 1000

const inRange = (value: string | undefined, least: number, most: number): boolean =>
  value === undefined || (Number(value) >= least && Number(value) <= most)

/**
 * Returns the length of the period that a date or time denotes, in microseconds. The smallest part that is given determines the
 * length.
 */
const lengthOf = ([, year, month, day, hour, minute, second, fraction]: RegExpExecArray, start: number): number => {
  if (fraction !== undefined) return Math.max(1, 10 ** (6 - fraction.length))
  if (second !== undefined) return unitMicros.second
  if (minute !== undefined) return unitMicros.minute
  if (hour !== undefined) return unitMicros.hour
  if (day !== undefined) return unitMicros.day
  return (month === undefined ? nextMonth(Number(year), 12) : nextMonth(Number(year), Number(month))) - start
}

const fromIso = (text: string): { from: number; to: number } | null => {
  const match = pattern.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match
  const fine =
    inRange(month, 1, 12) && inRange(day, 1, 31) && inRange(hour, 0, 23) && inRange(minute, 0, 59) && inRange(second, 0, 59)
  if (!fine) return null
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const date = new Date(Date.UTC(y, m, d))
  // `Date` interprets two-digit years as 19xx, and the 31st of a shorter month as a day of the next month.
  date.setUTCFullYear(y, m, d)
  if (date.getUTCMonth() !== m) return null
  const start =
    date.getTime() * 1000 +
    Number(hour ?? 0) * unitMicros.hour +
    Number(minute ?? 0) * unitMicros.minute +
    Number(second ?? 0) * unitMicros.second +
    Math.floor(Number(`0.${fraction || '0'}`) * MICROS + 1e-6)
  const from = start - offsetMicros(zone)
  return { from, to: from + lengthOf(match, start) - 1 }
}

/**
 * Returns the inclusive period, in microseconds, that a value refers to. The value is ISO 8601, in UTC unless it has a zone, or
 * milliseconds since 1970. If parts at the end are omitted, the period is longer: `2024` is the whole year.
 * @throws Problem for anything else
 */
export const parseTime = (value: string | number, what: string): { from: number; to: number } => {
  const iso = typeof value === 'string' ? fromIso(value.trim()) : null
  if (iso !== null) return iso
  const millis = typeof value === 'number' ? value : /^-?\d{5,}$/.test(value.trim()) ? Number(value) : Number.NaN
  if (!Number.isFinite(millis) || Math.abs(millis) > 8.64e15) throw unprocessable(`\`${value}\` is not a date for ${what}`)
  const from = Math.floor(millis * 1000)
  return { from, to: Number.isInteger(millis) ? from + 999 : from }
}
