import type { NumberSigns } from '../src/i18n/print-number.ts'
import { readMessages } from './message-keys.ts'

/** What stands before and behind a number. */
const around = (parts: readonly Intl.NumberFormatPart[]): readonly [string, string] => {
  const first = parts.findIndex(({ type }) => type === 'integer')
  const text = (some: readonly Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('')
  return [text(parts.slice(0, first)), text(parts.slice(first + 1))]
}

/** How a language writes numbers; null for one with digits of its own, or that divides them otherwise than by thousands: the browser writes those. */
export const signsOf = (language: string): NumberSigns | null => {
  const plain = new Intl.NumberFormat(language)
  const parts = plain.formatToParts(-1_234_567.8)
  const sign = (wanted: Intl.NumberFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? ''
  const [group, decimal, minus] = [sign('group'), sign('decimal'), sign('minusSign')]
  const percent = around(new Intl.NumberFormat(language, { style: 'percent' }).formatToParts(0.5))
  const groupedFrom = plain.format(1234) === '1234' ? 10_000 : 1000
  const isUsual = group !== '' && plain.format(-1_234_567.8) === `${minus}1${group}234${group}567${decimal}8`
  return isUsual ? { decimal, group, groupedFrom, minus, percent } : null
}

/** The signs of those languages of the page that have usual ones. */
export const numberSigns = (): { readonly [language: string]: NumberSigns } =>
  Object.fromEntries(
    [...readMessages().keys()].flatMap((language) => {
      const signs = signsOf(language)
      return signs === null ? [] : [[language, signs] as const]
    }),
  )
