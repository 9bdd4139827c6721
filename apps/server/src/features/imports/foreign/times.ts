import type { RowTimes } from '#platform/original-row.ts'
import { type Micros, readTime, wallClock } from '#platform/time.ts'

/** A time with an offset from UTC, such as `+02:00`. */
const WITH_OFFSET = /^(.+)([+-])(\d{2}):?(\d{2})$/
const MINUTE: Micros = 60_000_000
/** Numbers of at least this size are milliseconds since the Unix epoch. Smaller ones are seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

const ofText = (text: string): Micros | null => {
  const utc = readTime(text)
  if (utc !== null) return utc
  const [, local = '', sign, hours, minutes] = WITH_OFFSET.exec(text) ?? []
  const at = readTime(local)
  return at === null ? null : at - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE
}

const ofNumber = (value: number): Micros => Math.round(value * (value < FIRST_MILLISECONDS ? 1_000_000 : 1000))

/**
 * Reads a time in a foreign file:
 * - an ISO 8601 string, which is in UTC if it has no offset
 * - a number of seconds or milliseconds since the Unix epoch
 *
 * Undefined for any other value, and for a time in the future, which must be wrong.
 */
export const timeIn = (value: unknown): Micros | undefined => {
  const at = typeof value === 'string' ? ofText(value.trim()) : typeof value === 'number' ? ofNumber(value) : null
  return at !== null && at > 0 && at <= wallClock() ? at : undefined
}

/** The times of an answer. If the file has only one of the two times, it is used for both. Undefined if the file has neither. */
export const timesIn = (created: unknown, updated: unknown): RowTimes | undefined => {
  const first = timeIn(created) ?? timeIn(updated)
  return first === undefined ? undefined : { inserted_at: first, updated_at: Math.max(first, timeIn(updated) ?? first) }
}
