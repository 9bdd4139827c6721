import type { Day, Forecast, NoForecast } from '@postil/contract/insights.ts'
import { randomFrom } from '#platform/random.ts'

/** A multiple of seven days, because people may work less on weekends. */
const WINDOW_DAYS = 28
const LEAST_DAYS = 3
const RESAMPLES = 1000
/** Ten years. A forecast further ahead would be meaningless. */
const MAX_DAYS = 3653
const DAY_MS = 86_400_000

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const printDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

/** The number of submitted answers on each day before `today`: at most four weeks, starting no earlier than the first answer. */
export const recentDays = (days: readonly Day[], today: string): readonly number[] => {
  const first = days.find(({ submitted, day }) => submitted > 0 && day < today)
  if (first === undefined) return []
  const submitted = new Map(days.map((day) => [day.day, day.submitted]))
  const count = Math.min(WINDOW_DAYS, Math.round((timeOf(today) - timeOf(first.day)) / DAY_MS))
  return Array.from({ length: count }, (_, i) => submitted.get(printDay(timeOf(today) - (count - i) * DAY_MS)) ?? 0)
}

type Work = { readonly records: number; readonly pending: number; readonly needed: number }

/**
 * Forecasts the day on which no more answers are needed. The interval is a percentile bootstrap over the recent days: each
 * resample draws the same number of days, with replacement, and takes their mean as the rate.
 */
export const forecastOf = ({ records, pending, needed }: Work, days: readonly Day[], today: string): Forecast => {
  const recent = recentDays(days, today)
  const rate = recent.length === 0 ? null : meanOf(recent)
  const none = (reason: NoForecast): Forecast => ({
    finish: null,
    earliest: null,
    latest: null,
    per_day: rate,
    days: recent.length,
    reason,
  })
  if (records === 0) return none('no_records')
  if (pending === 0) return none('finished')
  if (recent.length < LEAST_DAYS) return none('too_few_days')
  if (rate === null || rate === 0) return none('no_recent_answers')
  const daysAt = (perDay: number): number => (perDay === 0 ? Number.POSITIVE_INFINITY : Math.ceil(needed / perDay))
  if (daysAt(rate) > MAX_DAYS) return none('too_far')
  const random = randomFrom(1)
  const ahead = Array.from({ length: RESAMPLES }, () =>
    daysAt(meanOf(recent.map(() => recent[Math.floor(random() * recent.length)]!))),
  ).sort((a, b) => a - b)
  // Today is the first day of work, so a single day of work ends today.
  const dayAfter = (count: number): string | null =>
    count > MAX_DAYS ? null : printDay(timeOf(today) + Math.max(0, count - 1) * DAY_MS)
  return {
    finish: dayAfter(daysAt(rate)),
    earliest: dayAfter(ahead[RESAMPLES / 10]!),
    latest: dayAfter(ahead[RESAMPLES * 0.9]!),
    per_day: rate,
    days: recent.length,
    reason: null,
  }
}
