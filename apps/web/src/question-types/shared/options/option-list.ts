import type { Option } from '@postil/contract/question-types/options.ts'
import { foldAbove } from '#lib/constants.ts'
import { closestFirst } from '#lib/text/match-name.ts'

/** A search box is shown if there are at least this many options. */
export const searchFrom = 15

export type NumberedOption = Option & {
  /** Position in the settings, starting at 1. Typing this number picks the option, even if it is shown at another position. */
  readonly number: number
}

export const numbered = (options: readonly Option[]): readonly NumberedOption[] =>
  options.map((option, index) => ({ ...option, number: index + 1 }))

/** Sorts the suggested options first, highest score first. The others keep their order. */
export const suggestedFirst = (
  options: readonly NumberedOption[],
  scoreOf: (value: string) => number | null | undefined,
): readonly NumberedOption[] => {
  const rank = (value: string): number => {
    const score = scoreOf(value)
    return score === undefined ? Number.NEGATIVE_INFINITY : (score ?? 0)
  }
  return options.toSorted((a, b) => rank(b.value) - rank(a.value) || a.number - b.number)
}

type Shown = {
  /** Number of options shown while the list is collapsed; null shows all. */
  readonly visible: number | null
  readonly isExpanded: boolean
  readonly query: string
  /** Whether an option is picked. Picked options are always shown. */
  readonly isPicked: (value: string) => boolean
}

const folds = (options: readonly NumberedOption[], visible: number | null): visible is number =>
  visible !== null && options.length > foldAbove && visible < options.length

/**
 * Returns the options to show. With a search, returns the matches, closest first. Without one, returns the first options and
 * the picked ones.
 */
export const shownOptions = (
  options: readonly NumberedOption[],
  { visible, isExpanded, query, isPicked }: Shown,
): readonly NumberedOption[] => {
  if (query.trim() !== '') return closestFirst(options, ({ text, value }) => text || value, query)
  if (isExpanded || !folds(options, visible)) return options
  return options.filter((option, index) => index < visible || isPicked(option.value))
}

export const canFold = (options: readonly NumberedOption[], visible: number | null): boolean => folds(options, visible)
