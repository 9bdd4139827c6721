import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'
import { asJson, single } from './model-form.ts'

export const textQuestion = defineServerQuestionType({
  kind: 'text',
  model: {
    schema: () => ({ type: 'string' }),
    instruction: 'Give a text.',
    read: (answer) => (typeof answer === 'string' ? single(answer) : null),
    show: asJson,
  },
  column: 'text',
  compared: 'texts',
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
