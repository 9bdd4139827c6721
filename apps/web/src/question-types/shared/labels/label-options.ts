import type { Option } from '@postil/contract/question-types/options.ts'
import type { KeyHandler } from '../../question-keys.ts'
import type { NumberedOption } from '../options/option-list.ts'

export type PickedBy = 'digit' | 'key' | 'pointer'

export type LabelOptionsProps = {
  /** Whether exactly one option can be picked (a radio group) or any number (a list box). */
  readonly mode: 'one' | 'many'
  readonly options: readonly NumberedOption[]
  /**
   * All options of the question. Set only if some of them are not offered. The full list determines the positions of the offered
   * options in a tree.
   */
  readonly all?: readonly Option[]
  readonly visible: number | null
  readonly isPicked: (value: string) => boolean
  /** Whether an option is selected only because of a suggestion that the user hasn't confirmed. */
  readonly isOnlySuggested: (value: string) => boolean
  /** Returns the suggestion's score for an option: null if it has none, undefined if the option wasn't suggested. */
  readonly scoreOf: (value: string) => number | null | undefined
  readonly onPick: (value: string, by: PickedBy) => void
  readonly labelledBy: string
  readonly describedBy: string | undefined
  /** Returns an option's hue, if options have colors. */
  readonly hueOf?: (value: string) => number
  /** The hues that were chosen for labels, keyed by label. Set only if hues are shown as dots next to the labels' names. */
  readonly dots?: ReadonlyMap<string, number>
  /** Handles the question's other keys. */
  readonly onKey?: KeyHandler
}

/** Moves the focus from an option to its question, where the page's shortcuts work again. */
export const focusQuestion = (element: Element): void =>
  element.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })

export const optionElement = (list: Element | null, value: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-option="${CSS.escape(value)}"]`) ?? null
