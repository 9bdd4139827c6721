import type { Option } from '@postil/contract/question-types/options.ts'
import { foldAbove } from '#lib/constants.ts'

type Choosable = { readonly options: readonly Option[]; readonly visible_options: number | null }

/** Whether the list can be collapsed, which requires more options than the minimum that is always shown. */
export const canFold = ({ options }: Choosable): boolean => options.length > foldAbove

export const visibleCount = ({ options, visible_options }: Choosable): number => visible_options ?? options.length

type OptionUpdate = Omit<Option, 'parent'> & { parent: string | null }

/**
 * Returns the part of an update that all question types with labels share. `visible_options` is sent only if the list can be
 * collapsed. If an option has no parent, `parent` is sent as null, because an omitted parent stays unchanged.
 */
export const optionsUpdate = (settings: Choosable): { options: OptionUpdate[]; visible_options?: number } => ({
  options: settings.options.map((option) => ({ ...option, parent: option.parent ?? null })),
  ...(canFold(settings) && settings.visible_options !== null && { visible_options: settings.visible_options }),
})

/** Errors in an option's text. Each is a message key in the area `question-types/shared/options`, under `fault`. */
type OptionFault = 'empty' | 'twice'

/**
 * Returns the errors in options, keyed by the options' values. Only changed texts are checked.
 * @param stored the same options as stored on the server
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

/** Returns the first error in the options, or null. */
export const optionsFault = ({ options }: Choosable, stored: Choosable): OptionFault | null => {
  const [first = null] = optionFaults(options, stored.options).values()
  return first
}
