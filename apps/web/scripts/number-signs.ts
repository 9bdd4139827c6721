import type { NumberSigns } from '../src/i18n/print-number.ts'
import { readMessages } from './message-keys.ts'

/** Returns the prefix and suffix of a formatted number. */
const textAround = (parts: readonly Intl.NumberFormatPart[]): readonly [string, string] => {
  const first = parts.findIndex(({ type }) => type === 'integer')
  const text = (some: readonly Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('')
  return [text(parts.slice(0, first)), text(parts.slice(first + 1))]
}

/**
 * Returns how a language writes numbers. Null if the language has its own digits or doesn't group digits by thousands; the
 * browser formats numbers in such languages.
 */
export const signsOf = (language: string): NumberSigns | null => {
  const plain = new Intl.NumberFormat(language)
  const parts = plain.formatToParts(-1_234_567.8)
  const sign = (partType: Intl.NumberFormatPartTypes) => parts.find(({ type }) => type === partType)?.value ?? ''
  const [group, decimal, minus] = [sign('group'), sign('decimal'), sign('minusSign')]
  const percent = textAround(new Intl.NumberFormat(language, { style: 'percent' }).formatToParts(0.5))
  const groupedFrom = plain.format(1234) === '1234' ? 10_000 : 1000
  const isStandard = group !== '' && plain.format(-1_234_567.8) === `${minus}1${group}234${group}567${decimal}8`
  return isStandard ? { decimal, group, groupedFrom, minus, percent } : null
}

/** Returns the number signs of each web app language. Languages for which `signsOf` is null are omitted. */
export const numberSigns = (): { readonly [language: string]: NumberSigns } =>
  Object.fromEntries(
    [...readMessages().keys()].flatMap((language) => {
      const signs = signsOf(language)
      return signs === null ? [] : [[language, signs] as const]
    }),
  )
