import { spanShapeRules } from '@postil/contract/question-types/span-shape.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'

type Parts = typeof import('./parts.ts')['spanParts']
/**
 * Null until the parts have been loaded. The rules are one of these parts, so that they don't delay the first record of datasets
 * without such questions.
 */
let loaded: Parts | null = null
const parts = async () => {
  loaded = (await import('./parts.ts')).spanParts
  return loaded
}
const Editor = lazyEditor(async () => (await parts()).Editor)
const FieldEditor = lazyEditor(async () => (await parts()).FieldEditor)
const Value = lazyEditor(async () => (await parts()).Value)
const ValueInContext = lazyEditor(async () => (await parts()).ValueInContext)

export const slice: QuestionSlice<'span'> = {
  kind: 'span',
  rules: { ...spanShapeRules, check: (...given) => (loaded?.rules ?? spanShapeRules).check(...given) },
  Editor,
  Value,
  ValueInContext,
  preload: async () => {
    await Promise.all([Editor, FieldEditor, Value, ValueInContext].map((part) => part.preload()))
  },
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
    FieldEditor,
  },
}
