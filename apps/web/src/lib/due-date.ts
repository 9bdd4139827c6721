import { parseWireTime } from '#i18n/format.ts'

const twoDigits = (n: number): string => String(n).padStart(2, '0')
const printDay = (date: Date): string => `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

/** Today in the browser's time zone, as `YYYY-MM-DD`. */
export const today = (): string => printDay(new Date())

/** The last second of a day in the browser's time zone, in wire format. */
export const dueTime = (day: string): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 23, 59, 59).toISOString().slice(0, 19)
}

/** The day of a due date in the browser's time zone, as `YYYY-MM-DD`. */
export const dueDay = (time: string): string => printDay(parseWireTime(time))
