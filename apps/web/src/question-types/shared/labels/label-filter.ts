import type { Option } from '@postil/contract/question-types/options.ts'
import type { ValueFilter } from '../../value-filter.ts'

/** Returns a filter by label. It shows each label under the same name as the form does. */
export const labelFilter = (options: readonly Option[], combined: boolean): ValueFilter => ({
  by: 'terms',
  combined,
  options: options.map(({ value, text }) => ({ value, text: text || value })),
})
