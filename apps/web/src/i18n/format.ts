import { progressDigits, scoreDigits, shareDigits } from '#lib/constants.ts'
import { type NumberSigns, type NumberStyle, printNumber } from './print-number.ts'
import { currentLanguage } from './texts.ts'

const cached = <T>(make: (language: string) => T): (() => T) => {
  const made = new Map<string, T>()
  return () => {
    const language = currentLanguage()
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

/** Number formats, keyed by language. Absent in unit tests, where `Intl.NumberFormat` formats all numbers. */
const numberSigns = (import.meta.env['VITE_NUMBER_SIGNS'] ?? {}) as { readonly [language: string]: NumberSigns | undefined }

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
    const own = numberSigns[currentLanguage()]
    return (own && printNumber(value, own, style)) ?? byBrowser().format(value)
  }
}

const formatExactly = (digits: number) => ({ least: digits, most: digits })
const unitFormat = cached((language) => new Intl.ListFormat(language, { type: 'disjunction' }))
const allUnits = cached((language) => new Intl.ListFormat(language, { type: 'conjunction' }))
const dateTime = cached((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const relative = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

const collator = cached((language) => new Intl.Collator(language, { numeric: true }))

/** Compares strings by the language's rules, with numbers in numeric order. */
export const compareTexts = (a: string, b: string): number => collator().compare(a, b)

/** Formats a count with the language's separators: 12,480. */
export const formatCount = numbersAs(formatExactly(0))
/** Formats a suggestion's score, 0 to 1, with one decimal. */
export const formatScore = numbersAs(formatExactly(scoreDigits))
/** Rounds a share from 0 to 1 so that a percentage with `digits` decimals shows 100% only when everything is done. */
export const roundShare = (share: number, digits: number): number =>
  share < 1 ? Math.min(share, 1 - 10 ** -(digits + 2)) : share

const progressAs = numbersAs({ ...formatExactly(progressDigits), percent: true })
/** Formats a share from 0 to 1 as a percentage with two decimals, for progress. */
export const formatProgress = (share: number): string => progressAs(roundShare(share, progressDigits))
/** Formats a share from 0 to 1 as a percentage with one decimal, for similarity. */
export const formatPercent = numbersAs({ ...formatExactly(shareDigits), percent: true })
const wholePercent = numbersAs({ ...formatExactly(0), percent: true })
/** Formats the agreement on a record as a whole percentage that shows 100% only for full agreement. */
export const formatAgreement = (agreement: number): string => wholePercent(roundShare(agreement, 0))
/** Formats a number with up to ten decimals and the language's separators. */
export const formatNumber = numbersAs({ least: 0, most: 10 })
/** Formats a list: "a, b, and c" if `all` is true, otherwise "a, b, or c". */
export const formatList = (texts: readonly string[], all: boolean): string => (all ? allUnits() : unitFormat()).format(texts)

/** The wire sends times in UTC without a zone suffix. */
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

/** Formats a time as "3 minutes ago", or "now" if it is less than a minute ago. `now` is in milliseconds. */
export const formatAgo = (time: string, now: number): string => {
  const seconds = (parseWireTime(time).getTime() - now) / 1000
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit)
  }
  return relative().format(0, 'second')
}
