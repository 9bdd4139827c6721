import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { defineServerQuestionType, noNumbers } from './define.ts'
import { asJson, isTexts, labelSchema } from './model-form.ts'
import { jaccardSimilarity } from './similarity.ts'

const labelsIn = (value: AnswerValue): readonly string[] =>
  Array.isArray(value) ? value.filter((label) => typeof label === 'string') : []

const similarity = (a: AnswerValue, b: AnswerValue): number => jaccardSimilarity(labelsIn(a).toSorted(), labelsIn(b).toSorted())

export const multiLabelSelectionQuestion = defineServerQuestionType({
  kind: 'multi_label_selection',
  model: {
    schema: (settings) => ({ type: 'array', items: labelSchema(settings) }),
    instruction: 'Give a list with the values of all options that apply, at least one.',
    read: (answer) => {
      if (!isTexts(answer)) return null
      const value = [...new Set(answer)]
      return { value, from: value.map((label) => answer.indexOf(label)), unmatched: 0 }
    },
    show: asJson,
  },
  column: 'texts',
  compared: 'sets',
  similarity: () => similarity,
  rightness: () => similarity,
  indexed: 'terms',
  terms: labelsIn,
  numbers: noNumbers,
  sortable: { suggestions: true, responses: false },
})
