import type { Day } from '@postil/contract/insights.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A quarter of an hour in microseconds. In every time zone, a day begins at a multiple of this time. */
export const QUARTER: Micros = 15 * 60 * 1_000_000

/** How many of a user's answers with one status were last changed within one quarter of an hour. */
export type QuarterCount = {
  readonly user_id: string
  readonly status: ResponseStatus
  readonly quarter: number
  readonly n: number
}

/** Returns a function that prints the day of a time. @throws Problem unprocessable for an unknown time zone */
export const dayPrinter = (timeZone: string): ((at: Micros) => string) => {
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return (at) => format.format(at / 1000)
  } catch {
    throw unprocessable(`\`${timeZone}\` is not a time zone`)
  }
}

/** Sums the counts by day. The days are in ascending order. */
export const daysOf = (counts: readonly QuarterCount[], dayOf: (at: Micros) => string): Day[] => {
  const days = new Map<string, Day>()
  for (const { status, quarter, n } of counts) {
    const name = dayOf(quarter * QUARTER)
    const day = days.get(name) ?? { day: name, submitted: 0, discarded: 0, draft: 0 }
    day[status] += n
    days.set(name, day)
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** The number of answers by status on all days together. */
export const totalOf = (days: readonly Day[]): Omit<Day, 'day'> => {
  const sumOf = (status: ResponseStatus) => days.reduce((sum, day) => sum + day[status], 0)
  return { submitted: sumOf('submitted'), discarded: sumOf('discarded'), draft: sumOf('draft') }
}

/** The median; null if there are no numbers. */
export const medianOf = (numbers: readonly number[]): number | null => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
