import { defineServerQuestionType, noNumbers } from './define.ts'

export const multiLabelSelectionQuestion = defineServerQuestionType({
  kind: 'multi_label_selection',
  column: 'texts',
  compared: 'sets',
  indexed: 'terms',
  terms: (value) => (Array.isArray(value) ? value.filter((label) => typeof label === 'string') : []),
  numbers: noNumbers,
  sortable: { suggestions: true, responses: false },
})
