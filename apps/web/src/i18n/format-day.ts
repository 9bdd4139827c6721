import { currentLanguage } from './texts.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a day (`YYYY-MM-DD`), with the year only if it isn't the current one. */
export const formatDay = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  const isThisYear = day.startsWith(String(new Date().getFullYear()))
  const key = `${currentLanguage()} ${isThisYear}`
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat(currentLanguage(), {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
      ...(!isThisYear && { year: 'numeric' }),
    })
  formats.set(key, known)
  return known.format(date)
}
