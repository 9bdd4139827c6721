import type { Option } from '@postil/contract/question-types/options.ts'
import type { ValueFilter } from '../../value-filter.ts'

/** Labels as values of a filter, under the names that they have in the form. */
export const labelFilter = (options: readonly Option[], together: boolean): ValueFilter => ({
  by: 'terms',
  together,
  options: options.map(({ value, text }) => ({ value, text: text || value })),
})
