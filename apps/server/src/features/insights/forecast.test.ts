import type { Day } from '@postil/contract/insights.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forecastOf, recentDays } from './forecast.ts'

const day = (name: string, submitted: number): Day => ({ day: name, submitted, discarded: 0, draft: 0 })
const work = (needed: number) => ({ records: 100, pending: 10, needed })
const printed = (at: number) => new Date(at).toISOString().slice(0, 10)
const today = '2026-03-29'
const daysBefore = (days: number) => printed(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000)

describe('the forecast', () => {
  it('uses at most four weeks before today, from the first answer on, with the days in between', () => {
    expect(recentDays([day(daysBefore(3), 5), day(daysBefore(1), 7), day(today, 9)], today)).toEqual([5, 0, 7])
    expect(recentDays([day(daysBefore(40), 5), day(daysBefore(1), 7)], today)).toEqual([...Array(27).fill(0), 7])
    expect(recentDays([day(today, 9)], today)).toEqual([])
  })

  it('has no interval if the same number of answers is given every day', () => {
    const days = [1, 2, 3, 4].map((back) => day(daysBefore(back), 10)).reverse()
    expect(forecastOf(work(25), days, today)).toEqual({
      finish: '2026-03-31',
      earliest: '2026-03-31',
      latest: '2026-03-31',
      per_day: 10,
      days: 4,
      reason: null,
    })
  })

  it('tells why it doesn’t exist', () => {
    const days = [day(daysBefore(5), 10), day(daysBefore(1), 10)]
    const reason = (...args: Parameters<typeof forecastOf>) => forecastOf(...args).reason
    expect(reason({ records: 0, pending: 0, needed: 0 }, [], today)).toBe('no_records')
    expect(reason({ records: 9, pending: 0, needed: 0 }, days, today)).toBe('finished')
    expect(reason(work(5), [day(daysBefore(2), 1)], today)).toBe('too_few_days')
    expect(reason(work(5), [day(daysBefore(90), 1)], today)).toBe('no_recent_answers')
    expect(reason(work(1_000_000), days, today)).toBe('too_far')
    expect(reason(work(5), days, today)).toBeNull()
  })

  it('is the same on every run, and its interval contains the finish', () => {
    const anyDays = fc.array(fc.nat(40), { minLength: 3, maxLength: 40 })
    fc.assert(
      fc.property(anyDays, fc.integer({ min: 1, max: 2000 }), (counts, needed) => {
        const days = counts.map((n, i) => day(daysBefore(counts.length - i), n)).filter(({ submitted }) => submitted > 0)
        const found = forecastOf(work(needed), days, today)
        expect(forecastOf(work(needed), days, today)).toEqual(found)
        if (found.reason !== null) return
        expect(found.finish! >= today).toBe(true)
        expect(found.earliest! <= found.finish!).toBe(true)
        if (found.latest !== null) expect(found.finish! <= found.latest).toBe(true)
      }),
    )
  })
})
