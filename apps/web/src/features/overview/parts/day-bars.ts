import type { Day } from '@postil/contract/insights.ts'

/** A bar of the chart: one day or one week. Both `from` and `to` are included. */
export type Bar = { readonly from: string; readonly to: string } & Omit<Day, 'day'>

/** If there are more days than this, each bar shows a week. */
const maxDays = 35
/** The maximum number of weeks in the chart. Older weeks are left out of the chart, but the table contains all days. */
const maxWeeks = 104
const dayMs = 86_400_000

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const printDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
export const addDays = (day: string, count: number): string => printDay(timeOf(day) + count * dayMs)
/** Weeks begin on Monday. */
const weekStart = (day: string): string => addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7))

/** The day now, in the browser's time zone. */
export const todayIn = (now: Date): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/**
 * Returns consecutive bars from the first day with answers to today, without gaps. The bars cover at least two weeks, so that
 * none is too wide.
 */
export const barsOf = (days: readonly Day[], today: string): readonly Bar[] => {
  const [first] = days
  if (!first) return []
  const last = days.at(-1)!.day > today ? days.at(-1)!.day : today
  const earliest = addDays(last, -13)
  const start = first.day < earliest ? first.day : earliest
  const isByDay = (timeOf(last) - timeOf(start)) / dayMs < maxDays
  const step = isByDay ? 1 : 7
  const bars = new Map<string, Bar>()
  for (let from = isByDay ? start : weekStart(start); from <= last; from = addDays(from, step))
    bars.set(from, { from, to: addDays(from, step - 1), submitted: 0, discarded: 0, draft: 0 })
  for (const { day, submitted, discarded, draft } of days) {
    const key = isByDay ? day : weekStart(day)
    const bar = bars.get(key)!
    bars.set(key, {
      ...bar,
      submitted: bar.submitted + submitted,
      discarded: bar.discarded + discarded,
      draft: bar.draft + draft,
    })
  }
  return [...bars.values()].slice(-maxWeeks)
}

/**
 * Returns a round number at or above the highest bar: 1, 2, 4, 6 or 8 times a power of ten. It is at least 4, so that it can be
 * halved.
 */
export const topOf = (highest: number): number => {
  if (highest <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((top) => top >= highest)!
}
