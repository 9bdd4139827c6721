import { currentLanguage } from '#i18n/texts.ts'

/**
 * Parses a number that a form contains as text. Returns null if the field is empty, and undefined if it contains anything but a
 * number within the limits.
 */
export const parseNumber = (text: string, least: number, most: number, isWhole = false): number | null | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const number = Number(trimmed.replace(',', '.'))
  return Number.isFinite(number) && number >= least && number <= most && (!isWhole || Number.isInteger(number))
    ? number
    : undefined
}

/** Formats an amount without a currency symbol, because the currency of the connection's prices is unknown. */
export const formatCost = (cost: number): string =>
  new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 2, maximumSignificantDigits: 4 }).format(cost)
