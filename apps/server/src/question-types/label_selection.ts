import { defineServerQuestionType, noNumbers } from './define.ts'
import { asJson, labelSchema, single } from './model-form.ts'

export const labelSelectionQuestion = defineServerQuestionType({
  kind: 'label_selection',
  model: {
    schema: labelSchema,
    instruction: 'Give the value of one option.',
    read: (answer) => (typeof answer === 'string' ? single(answer) : null),
    show: asJson,
  },
  column: 'text',
  compared: 'categories',
  similarity: () => () => 0,
  rightness: () => () => 0,
  indexed: 'terms',
  terms: (value) => (typeof value === 'string' ? [value] : []),
  numbers: noNumbers,
  sortable: { suggestions: true, responses: false },
})
