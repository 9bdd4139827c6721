import { expect, it } from 'vitest'
import { dueDay, dueTime, today } from './due-date.ts'

it('lets a due date end with its day in the time zone of the browser', () => {
  for (const day of ['2026-03-29', '2026-10-25', '2026-12-31']) {
    expect(dueDay(dueTime(day))).toBe(day)
    const end = new Date(`${dueTime(day)}Z`)
    expect([end.getHours(), end.getMinutes(), end.getSeconds()]).toEqual([23, 59, 59])
  }
  expect(today()).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
