import { defineServerQuestionType, noNumbers } from './define.ts'

export const labelSelectionQuestion = defineServerQuestionType({
  kind: 'label_selection',
  column: 'text',
  compared: 'categories',
  similarity: () => () => 0,
  rightness: () => () => 0,
  indexed: 'terms',
  terms: (value) => (typeof value === 'string' ? [value] : []),
  numbers: noNumbers,
  sortable: { suggestions: true, responses: false },
})
