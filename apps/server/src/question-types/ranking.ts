import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'

export const rankingQuestion = defineServerQuestionType({
  kind: 'ranking',
  column: 'json',
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
