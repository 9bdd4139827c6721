import type { RatingSettings } from '@postil/contract/question-types/rating.ts'
import { defineServerQuestionType, noTerms } from './define.ts'
import { asJson, single } from './model-form.ts'

export const ratingQuestion = defineServerQuestionType({
  kind: 'rating',
  model: {
    schema: (settings) => ({ type: 'integer', enum: (settings as RatingSettings).options.map(({ value }) => value) }),
    instruction: 'Give one of the numbers.',
    read: (answer) => (typeof answer === 'number' ? single(answer) : null),
    show: asJson,
  },
  column: 'integer',
  compared: 'scale',
  similarity: (settings) => {
    const options = (settings as RatingSettings).options.map(({ value }) => value)
    const range = Math.max(...options) - Math.min(...options)
    return (a, b) => 1 - Math.abs(Number(a) - Number(b)) / range
  },
  rightness:
    ({ tolerance }) =>
    (a, b) =>
      Math.abs(Number(a) - Number(b)) <= tolerance ? 1 : 0,
  indexed: 'numbers',
  terms: noTerms,
  numbers: (value) => (typeof value === 'number' ? [value] : []),
  sortable: { suggestions: true, responses: true },
})
