import type { Option } from '@postil/contract/question-types/options.ts'
import { foldAbove } from '#lib/constants.ts'
import { plainOf } from '#lib/text/plain.ts'

/** From so many options on there is a search box. */
export const searchFrom = 15

export type NumberedOption = Option & {
  /** Its place in the settings, from 1: the digits that pick it, also when it is shown elsewhere. */
  readonly number: number
}

export const numbered = (options: readonly Option[]): readonly NumberedOption[] =>
  options.map((option, index) => ({ ...option, number: index + 1 }))

/** Puts the suggested ones first, surest first; the others keep their order. */
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
  /** How many show while the list is folded; null shows all. */
  readonly visible: number | null
  readonly isUnfolded: boolean
  readonly query: string
  /** What stays in sight whatever the limit. */
  readonly isPicked: (value: string) => boolean
}

const folds = (options: readonly NumberedOption[], visible: number | null): visible is number =>
  visible !== null && options.length > foldAbove && visible < options.length

/** 0 for what was typed in full, 1 for what begins with it, 2 for what has it somewhere. */
const distance = (name: string, query: string): number => (name === query ? 0 : name.startsWith(query) ? 1 : 2)

const matching = (options: readonly NumberedOption[], query: string): readonly NumberedOption[] =>
  options
    .map((option) => ({ option, name: plainOf(option.text) }))
    .filter(({ name }) => name.includes(query))
    .toSorted((a, b) => distance(a.name, query) - distance(b.name, query))
    .map(({ option }) => option)

/** The options on the screen: those that match the search, nearest first, or else the first ones and those that are picked. */
export const shownOptions = (
  options: readonly NumberedOption[],
  { visible, isUnfolded, query, isPicked }: Shown,
): readonly NumberedOption[] => {
  if (query.trim() !== '') return matching(options, plainOf(query.trim()))
  if (isUnfolded || !folds(options, visible)) return options
  return options.filter((option, index) => index < visible || isPicked(option.value))
}

/** How many are left out of a folded list. */
export const hiddenCount = (options: readonly NumberedOption[], shown: readonly NumberedOption[]): number =>
  options.length - shown.length

export const canFold = (options: readonly NumberedOption[], visible: number | null): boolean => folds(options, visible)
