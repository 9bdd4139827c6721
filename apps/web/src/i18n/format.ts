import { progressDigits, scoreDigits, shareDigits } from '#lib/constants.ts'
import { languageNow } from './texts.ts'

const cached = <T>(make: (language: string) => T): (() => T) => {
  const made = new Map<string, T>()
  return () => {
    const language = languageNow()
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const integer = cached((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))
const digits = (count: number) => ({ minimumFractionDigits: count, maximumFractionDigits: count })
const oneDecimal = cached((language) => new Intl.NumberFormat(language, digits(scoreDigits)))
const percentTwo = cached((language) => new Intl.NumberFormat(language, { style: 'percent', ...digits(progressDigits) }))
const percentOne = cached((language) => new Intl.NumberFormat(language, { style: 'percent', ...digits(shareDigits) }))
const anyNumber = cached((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 10 }))
const oneOf = cached((language) => new Intl.ListFormat(language, { type: 'disjunction' }))
const allOf = cached((language) => new Intl.ListFormat(language, { type: 'conjunction' }))
const dateTime = cached((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const relative = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

const collator = cached((language) => new Intl.Collator(language, { numeric: true }))

/** Orders texts as readers of the language do, and numbers in them as numbers. */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b)

/** From here on counts have separators. All languages of the page write digits alike. */
const separated = 1000

/** A count with the language's separators: 12,480. Most are small, and the browser takes its time to make the first formatter. */
export const formatCount = (count: number): string =>
  count >= 0 && count < separated && Number.isInteger(count) ? String(count) : integer().format(count)
/** A suggestion's score, 0 to 1, with one decimal. */
export const formatScore = (score: number): string => oneDecimal().format(score)
/** A share of 0 to 1 as a percentage with two decimals, as progress shows it. */
export const formatProgress = (share: number): string => percentTwo().format(share)
/** A share of 0 to 1 as a percentage with one decimal, as similarity shows it. */
export const formatPercent = (share: number): string => percentOne().format(share)
/** A number as it is, with the language's separators. */
export const formatNumber = (value: number): string => anyNumber().format(value)
/** "a, b, or c" where one of them is enough, "a, b, and c" where all have to be. */
export const formatList = (texts: readonly string[], all: boolean): string => (all ? allOf() : oneOf()).format(texts)

/** The wire's times are UTC without a zone suffix. */
export const parseWireTime = (time: string): Date => new Date(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
export const formatDateTime = (time: string): string => dateTime().format(parseWireTime(time))

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "3 minutes ago"; less than a minute is "now". `now` is in milliseconds. */
export const formatAgo = (time: string, now: number): string => {
  const seconds = (parseWireTime(time).getTime() - now) / 1000
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit)
  }
  return relative().format(0, 'second')
}
