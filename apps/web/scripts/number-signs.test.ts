import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { languages } from '../src/i18n/languages.ts'
import { type NumberStyle, printNumber } from '../src/i18n/print-number.ts'
import { numberSigns, signsOf } from './number-signs.ts'

const styles: readonly NumberStyle[] = [
  { least: 0, most: 0 },
  { least: 1, most: 1 },
  { least: 0, most: 10 },
  { least: 2, most: 2, percent: true },
  { least: 1, most: 1, percent: true },
]

const formatByBrowser = (language: string, { least, most, percent }: NumberStyle) =>
  new Intl.NumberFormat(language, {
    style: percent ? 'percent' : 'decimal',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  })

const halves = fc.tuple(fc.integer({ min: -20_000, max: 20_000 }), fc.integer({ min: 0, max: 6 })).map(([n, e]) => n / 10 ** e)
const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  halves,
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 0.05, 0.25, 0.125, 1.005, 0.99995, 999.5, 999.95, 9999.5, 1e21, 1e-7, 5e-7),
)

/**
 * More languages, to test other number formats: a different minus sign, a percent sign before the number, or no digit grouping
 * below 10,000.
 */
const others = ['sv', 'tr', 'pl', 'fr', 'eu', 'pt', 'ja']

describe.each([...languages, ...others])('numbers in %s', (language) => {
  const signs = signsOf(language)
  test.each(styles)('are formatted like the browser formats them: %j', (style) => {
    const expected = formatByBrowser(language, style)
    fc.assert(
      fc.property(numbers, (value) => {
        if (signs === null) throw new Error(`${language} has no signs`)
        const printed = printNumber(value, signs, style)
        if (printed !== null) expect(printed).toBe(expected.format(value))
      }),
      { numRuns: 300 },
    )
    for (const value of [0, 7, 0.5, 999, 1000, 9999, 10_000, 1_234_567]) {
      expect(signs && printNumber(value, signs, style)).toBe(expected.format(value))
    }
  })
})

test('every app language has its number signs, and languages with other digits or grouping use the browser', () => {
  expect(Object.keys(numberSigns()).sort()).toEqual(languages)
  for (const language of ['hi', 'fa']) expect(signsOf(language)).toBeNull()
})
