import { spanShapeRules } from '@postil/contract/question-types/span-shape.ts'
import type { ComponentType } from 'react'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'

type Parts = typeof import('./parts.ts')['turnsParts']
/**
 * The editors and rules of this type, or null until they are loaded. They are loaded on demand, so that they don't delay the
 * first record of datasets without such questions.
 */
let loaded: Parts | null = null

const lazy = <P extends object>(pick: (parts: Parts) => ComponentType<P>) =>
  lazyEditor(async () => {
    loaded = (await import('./parts.ts')).turnsParts
    return pick(loaded)
  })
const Editor = lazy((parts) => parts.Editor)
const SharedEditor = lazy((parts) => parts.SharedEditor)
const FieldEditor = lazy((parts) => parts.FieldEditor)
const Value = lazy((parts) => parts.Value)

export const slice: QuestionSlice<'turns'> = {
  kind: 'turns',
  rules: {
    ...spanShapeRules,
    // Until the rules are loaded, only the form of the value is checked: it must be a list of spans.
    check: (...given) => (loaded?.rules ?? spanShapeRules).check(...given),
  },
  Editor,
  Value,
  preload: async () => {
    await Promise.all([Editor, SharedEditor, FieldEditor, Value].map((part) => part.preload()))
  },
  completeness: (...given) => loaded?.completeness(...given) ?? (given[0]?.length ? 'complete' : 'empty'),
  // The empty value is stored only if no turn needs a label.
  untouched: [],
  scorePlace: 'items',
  valueFilter: null,
  shortcuts: [
    { keys: ['1', '…', '9'], message: 'label' },
    { keys: ['J', 'K'], message: 'move' },
    { keys: ['←', '→'], message: 'question' },
    { keys: ['Delete'], message: 'clear' },
  ],
  fieldEditing: {
    fieldOf: (settings) => settings.field,
    isIn: (value) => typeof value === 'object',
    FieldEditor,
    SharedEditor,
  },
}
