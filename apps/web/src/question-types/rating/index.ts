import { ratingRules } from '@postil/contract/question-types/rating.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { RatingEditor } from './Editor.tsx'
import { RatingValue } from './Value.tsx'

export const slice: QuestionSlice<'rating'> = {
  kind: 'rating',
  rules: ratingRules,
  Editor: RatingEditor,
  Value: RatingValue,
  completeness: (value) => (value === null ? 'empty' : 'complete'),
  untouched: null,
  isQuick: true,
  scorePlace: 'header',
  valueFilter: ({ options }) => {
    const values = options.map((option) => option.value)
    return { by: 'range', min: Math.min(...values), max: Math.max(...values), whole: true }
  },
  shortcuts: [
    { keys: ['0', '…', '10'], message: 'pick' },
    { keys: ['←', '→'], message: 'move' },
    { keys: ['Space'], message: 'toggle' },
  ],
}
