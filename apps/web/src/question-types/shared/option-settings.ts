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

/** @returns what is wrong, as the area's messages under `fault` name it, or null */
export const optionsFault = ({ options }: Choosable): string | null =>
  options.some(({ text }) => text.trim() === '') ? 'empty' : null

/** The list with one item at another place. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const item = list[from]
  if (item === undefined || from === to || to < 0 || to >= list.length) return list
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}
