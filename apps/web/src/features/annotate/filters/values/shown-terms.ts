import { plainOf } from '#lib/text/plain.ts'
import type { FilterOption } from '#question-types/value-filter.ts'

/** As many values are on the screen at once; a search finds the others. */
export const mostShown = 100

export type ShownTerms = {
  readonly options: readonly FilterOption[]
  /** How many more match than are shown. */
  readonly more: number
}

/**
 * The values to choose from: those that were picked when the list was opened come first, also ones that no record has (any
 * more), then the others in their own order; all of them only as far as they match the words, case and accents aside.
 */
export const shownTerms = (options: readonly FilterOption[], first: readonly string[], words: string): ShownTerms => {
  const known = new Map(options.map((option) => [option.value, option]))
  const picked = first.map((value) => known.get(value) ?? { value, text: value })
  const isPicked = new Set(first)
  const all = [...picked, ...options.filter(({ value }) => !isPicked.has(value))]
  const wanted = plainOf(words.trim())
  const matching = wanted === '' ? all : all.filter(({ text }) => plainOf(text).includes(wanted))
  return { options: matching.slice(0, mostShown), more: Math.max(0, matching.length - mostShown) }
}
