import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'

export const textQuestion = defineServerQuestionType({
  kind: 'text',
  column: 'text',
  compared: 'texts',
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
