import type { Option } from '@postil/contract/question-types/options.ts'
import type { CreationFault } from '../../define-creation.ts'

const maxValueLength = 200

export const optionsOf = (labels: readonly string[]): Option[] =>
  labels.map((label) => ({ value: label, text: label, description: null }))

/** Prints labels separated by commas, or one per line if a label contains a comma. */
export const printLabels = (options: readonly Option[]): string => {
  const labels = options.map(({ text }) => text)
  return labels.join(labels.some((label) => /[,\n]/.test(label)) ? '\n' : ', ')
}

/**
 * Parses typed text as options. An empty part after the last separator is ignored, because the user may still be typing. An
 * empty part between two separators is an empty option.
 */
export const readLabels = (typed: string): Option[] => {
  const labels = typed.split(typed.includes('\n') ? '\n' : ',').map((label) => label.trim())
  while (labels.at(-1) === '') labels.pop()
  return optionsOf(labels)
}

type Bounds = { readonly min: 1 | 2; readonly max: number }

export const labelsFault = ({ options }: { readonly options: readonly Option[] }, { min, max }: Bounds): CreationFault | null => {
  if (options.some(({ value }) => value === '')) return 'empty'
  if (options.length < min) return min === 1 ? 'atLeastOne' : 'atLeastTwo'
  if (options.length > max) return 'tooMany'
  if (new Set(options.map(({ value }) => value)).size < options.length) return 'twice'
  return options.some(({ value }) => Array.from(value).length > maxValueLength) ? 'tooLong' : null
}
