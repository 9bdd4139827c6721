import { defineServerQuestionType, noTerms } from './define.ts'

export const ratingQuestion = defineServerQuestionType({
  kind: 'rating',
  column: 'integer',
  compared: 'scale',
  indexed: 'numbers',
  terms: noTerms,
  numbers: (value) => (typeof value === 'number' ? [value] : []),
  sortable: { suggestions: true, responses: true },
})
