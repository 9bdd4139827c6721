import { spanRules } from '@postil/contract/question-types/span.rules.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { QuestionSlice } from '../define.ts'
import { SpanEditor } from './Editor.tsx'
import { SpanFieldEditor } from './text/FieldEditor.tsx'
import { SpanValue } from './Value.tsx'
import { SpanValueInContext } from './ValueInContext.tsx'

export const slice: QuestionSlice<'span'> = {
  kind: 'span',
  rules: spanRules,
  Editor: SpanEditor,
  Value: SpanValue,
  ValueInContext: SpanValueInContext,
  // An answer without spans is complete too, because there may be nothing to mark.
  completeness: () => 'complete',
  untouched: [],
  scorePlace: 'items',
  valueFilter: null,
  shortcuts: [
    { keys: ['Shift', 'Enter'], message: 'enterText' },
    { keys: ['1', '…', '9'], message: 'pickLabel' },
    { keys: ['←', '→'], message: 'moveCursor' },
    { keys: ['Ctrl', '→'], message: 'moveWord' },
    { keys: ['Shift', '→'], message: 'extend' },
    { keys: ['Space'], message: 'mark' },
    { keys: ['Tab'], message: 'nextSpan' },
    { keys: ['F2'], message: 'openMenu' },
    { keys: ['Delete'], message: 'removeSpan' },
  ],
  fieldEditing: {
    fieldOf: (settings) => settings.field,
    isIn: (value) => spanTextOf(value) !== null,
    FieldEditor: SpanFieldEditor,
  },
}
