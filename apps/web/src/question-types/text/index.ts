import type { QuestionSlice } from '../define.ts'
import { TextEditor } from './Editor.tsx'
import { TextValue } from './Value.tsx'

export const textSlice: QuestionSlice<'text'> = {
  kind: 'text',
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
