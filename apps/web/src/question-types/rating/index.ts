import { ratingRules } from '@postil/contract/question-types/rating.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'
import { RatingValue } from './Value.tsx'

const Editor = lazyEditor(async () => (await import('./Editor.tsx')).RatingEditor)

export const slice: QuestionSlice<'rating'> = {
  kind: 'rating',
  rules: ratingRules,
  Editor,
  Value: RatingValue,
  preload: Editor.preload,
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
