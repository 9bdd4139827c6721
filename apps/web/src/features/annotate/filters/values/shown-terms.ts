import { withoutAccents } from '#lib/text/without-accents.ts'
import type { FilterOption } from '#question-types/value-filter.ts'

/** The maximum number of values shown at once. A search finds the others. */
export const maxShownTerms = 100

type ShownTerms = {
  readonly options: readonly FilterOption[]
  /** The number of matching values that aren't shown. */
  readonly more: number
}

/**
 * Returns the values to choose from, limited to those that contain the typed `words`. Case and accents are ignored. The values in
 * `first`, which were selected when the list was opened, come first, even if no record has them now. The other values follow in
 * their original order.
 */
export const shownTerms = (options: readonly FilterOption[], first: readonly string[], words: string): ShownTerms => {
  const known = new Map(options.map((option) => [option.value, option]))
  const picked = first.map((value) => known.get(value) ?? { value, text: value })
  const isPicked = new Set(first)
  const all = [...picked, ...options.filter(({ value }) => !isPicked.has(value))]
  const wanted = withoutAccents(words.trim())
  const matching = wanted === '' ? all : all.filter(({ text }) => withoutAccents(text).includes(wanted))
  return { options: matching.slice(0, maxShownTerms), more: Math.max(0, matching.length - maxShownTerms) }
}
