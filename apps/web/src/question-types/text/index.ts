import { textRules } from '@postil/contract/question-types/text.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'
import { preloadComparison, TextValue } from './Value.tsx'

const Editor = lazyEditor(async () => (await import('./parts.ts')).textParts.Editor)

export const slice: QuestionSlice<'text'> = {
  kind: 'text',
  rules: textRules,
  Editor,
  Value: TextValue,
  preload: async () => {
    await Promise.all([Editor.preload(), preloadComparison()])
  },
  completeness: (value) => (value === null || value === '' ? 'empty' : 'complete'),
  untouched: null,
  scorePlace: 'header',
  valueFilter: null,
  shortcuts: [
    { keys: ['Shift', 'Enter'], message: 'startEditing' },
    { keys: ['Esc'], message: 'stopEditing' },
  ],
}
