import { textRules } from '@postil/contract/question-types/text.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { TextEditor } from './Editor.tsx'
import { TextValue } from './Value.tsx'

export const slice: QuestionSlice<'text'> = {
  kind: 'text',
  rules: textRules,
  Editor: TextEditor,
  Value: TextValue,
  completeness: (value) => (value === null || value === '' ? 'empty' : 'complete'),
  untouched: null,
  scorePlace: 'header',
  valueFilter: null,
  shortcuts: [
    { keys: ['Shift', 'Enter'], message: 'startEditing' },
    { keys: ['Esc'], message: 'stopEditing' },
  ],
}
