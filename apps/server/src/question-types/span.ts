import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'

export const spanQuestion = defineServerQuestionType({
  kind: 'span',
  column: 'json',
  compared: 'spans',
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
