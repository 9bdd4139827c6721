import type { Option } from '@postil/contract/question-types/options.ts'
import type { CreationFault } from '../../define-creation.ts'
import { type OptionRow, parentsIn, withoutGaps } from '../options/option-rows.ts'

export const maxLabelLength = 200

export const optionsOf = (labels: readonly string[]): Option[] =>
  labels.map((label) => ({ value: label, text: label, description: null }))

/** Returns the options that the rows describe. A row's text is also the option's value. Rows without text are left out. */
export const optionsOfRows = (rows: readonly OptionRow[]): Option[] => {
  const named = withoutGaps(rows.filter(({ text }) => text.trim() !== ''))
  const texts = new Map(named.map(({ key, text }) => [key, text.trim()]))
  const parents = parentsIn(named)
  return optionsOf([...texts.values()]).map((option, at) => {
    const parent = texts.get(parents.get(named[at]?.key ?? '') ?? '')
    return parent === undefined ? option : { ...option, parent }
  })
}

/** Finds the rows that repeat the label of an earlier row. @returns the repeated labels, keyed by row */
export const labelFaults = (rows: readonly OptionRow[]): ReadonlyMap<string, string> => {
  const seen = new Set<string>()
  const faults = new Map<string, string>()
  for (const { key, text } of rows) {
    const label = text.trim()
    if (seen.has(label)) faults.set(key, label)
    else if (label !== '') seen.add(label)
  }
  return faults
}

type Bounds = { readonly min: 1 | 2; readonly max: number }

export const labelsFault = ({ options }: { readonly options: readonly Option[] }, { min, max }: Bounds): CreationFault | null => {
  if (options.some(({ value }) => value === '')) return 'empty'
  if (options.length < min) return min === 1 ? 'atLeastOne' : 'atLeastTwo'
  if (options.length > max) return 'tooMany'
  if (new Set(options.map(({ value }) => value)).size < options.length) return 'twice'
  return options.some(({ value }) => Array.from(value).length > maxLabelLength) ? 'tooLong' : null
}
