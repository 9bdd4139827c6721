import type { Day } from '@postil/contract/insights.ts'
import { expect, test } from 'vitest'
import { addDays, barsOf, todayIn, topOf } from './day-bars.ts'

const day = (name: string, submitted: number): Day => ({ day: name, submitted, discarded: 1, draft: 0 })
const today = '2026-03-18'

test('bars are consecutive days until today, at least two weeks', () => {
  const bars = barsOf([day('2026-03-10', 3), day('2026-03-17', 4)], today)
  expect(bars.map(({ from }) => from)).toEqual(Array.from({ length: 14 }, (_, i) => addDays('2026-03-05', i)))
  expect(bars.every(({ from, to }) => from === to)).toBe(true)
  expect(bars.map(({ submitted }) => submitted)).toEqual([0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 4, 0])
  expect(barsOf([], today)).toEqual([])
})

test('longer periods are weeks from Monday to Sunday, and no answer is lost', () => {
  const days = [day('2026-01-01', 1), day('2026-01-04', 2), day('2026-01-05', 5), day(today, 7)]
  const bars = barsOf(days, today)
  expect(bars[0]).toEqual({ from: '2025-12-29', to: '2026-01-04', submitted: 3, discarded: 2, draft: 0 })
  expect(bars[1]).toMatchObject({ from: '2026-01-05', submitted: 5 })
  expect(bars.at(-1)).toMatchObject({ from: '2026-03-16', to: '2026-03-22', submitted: 7 })
  expect(bars.reduce((sum, { submitted }) => sum + submitted, 0)).toBe(15)
})

test('the scale ends at a round number that isn’t lower than the highest bar', () => {
  expect([0, 4, 5, 11, 250, 1000].map(topOf)).toEqual([4, 4, 6, 20, 400, 1000])
})

test('the day is that of the browser’s time zone', () => {
  expect(todayIn(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})
