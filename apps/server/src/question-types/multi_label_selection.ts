import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { defineServerQuestionType, noNumbers } from './define.ts'
import { jaccardSimilarity } from './similarity.ts'

const labelsIn = (value: AnswerValue): readonly string[] =>
  Array.isArray(value) ? value.filter((label) => typeof label === 'string') : []

const similarity = (a: AnswerValue, b: AnswerValue): number => jaccardSimilarity(labelsIn(a).toSorted(), labelsIn(b).toSorted())

export const multiLabelSelectionQuestion = defineServerQuestionType({
  kind: 'multi_label_selection',
  column: 'texts',
  compared: 'sets',
  similarity: () => similarity,
  rightness: () => similarity,
  indexed: 'terms',
  terms: labelsIn,
  numbers: noNumbers,
  sortable: { suggestions: true, responses: false },
})
