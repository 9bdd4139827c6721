import { progressDigits, scoreDigits, shareDigits } from '#lib/constants.ts'
import { type NumberSigns, type NumberStyle, printNumber } from './print-number.ts'
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

/** By language. Not there in tests of single parts: then the browser writes all numbers. */
const signs = (import.meta.env['VITE_NUMBER_SIGNS'] ?? {}) as { readonly [language: string]: NumberSigns | undefined }

const numbersAs = (style: NumberStyle): ((value: number) => string) => {
  const byBrowser = cached(
    (language) =>
      new Intl.NumberFormat(language, {
        style: style.percent ? 'percent' : 'decimal',
        minimumFractionDigits: style.least,
        maximumFractionDigits: style.most,
      }),
  )
  return (value) => {
    const own = signs[languageNow()]
    return (own && printNumber(value, own, style)) ?? byBrowser().format(value)
  }
}

const exactly = (digits: number) => ({ least: digits, most: digits })
const oneOf = cached((language) => new Intl.ListFormat(language, { type: 'disjunction' }))
const allOf = cached((language) => new Intl.ListFormat(language, { type: 'conjunction' }))
const dateTime = cached((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const relative = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

const collator = cached((language) => new Intl.Collator(language, { numeric: true }))

/** Orders texts as readers of the language do, and numbers in them as numbers. */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b)

/** A count with the language's separators: 12,480. */
export const formatCount = numbersAs(exactly(0))
/** A suggestion's score, 0 to 1, with one decimal. */
export const formatScore = numbersAs(exactly(scoreDigits))
/** The part of 0 to 1 that is shown with so many decimals of a percentage: 1 only when all is done, never by rounding. */
export const shownShare = (share: number, digits: number): number =>
  share < 1 ? Math.min(share, 1 - 10 ** -(digits + 2)) : share

const progressAs = numbersAs({ ...exactly(progressDigits), percent: true })
/** A share of 0 to 1 as a percentage with two decimals, as progress shows it. */
export const formatProgress = (share: number): string => progressAs(shownShare(share, progressDigits))
/** A share of 0 to 1 as a percentage with one decimal, as similarity shows it. */
export const formatPercent = numbersAs({ ...exactly(shareDigits), percent: true })
/** A number as it is, with the language's separators. */
export const formatNumber = numbersAs({ least: 0, most: 10 })
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
