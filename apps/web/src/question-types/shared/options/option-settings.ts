import type { Option } from '@postil/contract/question-types/options.ts'
import { foldAbove } from '#lib/constants.ts'

type Choosable = { readonly options: readonly Option[]; readonly visible_options: number | null }

/** Folding makes sense for more options than the fewest that may be shown. */
export const canFold = ({ options }: Choosable): boolean => options.length > foldAbove

/** How many are shown; all of them by default. */
export const visibleCount = ({ options, visible_options }: Choosable): number => visible_options ?? options.length

/** The part of an update that all kinds with labels have. `visible_options` is sent only where it means something. */
export const optionsUpdate = (settings: Choosable): { options: Option[]; visible_options?: number } => ({
  options: [...settings.options],
  ...(canFold(settings) && settings.visible_options !== null && { visible_options: settings.visible_options }),
})

/** What is wrong with the text of an option: messages of the area under `fault`. */
export type OptionFault = 'empty' | 'twice'

/**
 * What is wrong with options, by their values. A text that is stored is nobody's mistake: only what was made of it is judged.
 * @param stored the same options as the server has them
 */
export const optionFaults = (options: readonly Option[], stored: readonly Option[]): ReadonlyMap<string, OptionFault> => {
  const before = new Map(stored.map(({ value, text }) => [value, text]))
  const faultOf = ({ value, text }: Option): OptionFault | null => {
    if (text === before.get(value)) return null
    if (text.trim() === '') return 'empty'
    return options.some((other) => other.value !== value && other.text.trim() === text.trim()) ? 'twice' : null
  }
  return new Map(
    options.flatMap((option) => {
      const fault = faultOf(option)
      return fault === null ? [] : [[option.value, fault] as const]
    }),
  )
}

/** The first thing that is wrong with the options, or null. */
export const optionsFault = ({ options }: Choosable, stored: Choosable): OptionFault | null => {
  const [first = null] = optionFaults(options, stored.options).values()
  return first
}

/** The list with one item at another place. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const item = list[from]
  if (item === undefined || from === to || to < 0 || to >= list.length) return list
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}
