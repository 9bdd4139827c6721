import { sidesFor } from '@postil/contract/comparison-sides.ts'
import { comparisonRules } from '@postil/contract/question-types/comparison.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { labelFilter } from '../shared/labels/label-filter.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'

const parts = async () => (await import('./parts.ts')).comparisonParts
const Editor = lazyEditor(async () => (await parts()).Editor)
const Value = lazyEditor(async () => (await parts()).Value)
const FieldsView = lazyEditor(async () => (await parts()).FieldsView)

export const slice: QuestionSlice<'comparison'> = {
  kind: 'comparison',
  rules: comparisonRules,
  Editor,
  Value,
  preload: async () => {
    await Promise.all([Editor, Value, FieldsView].map((part) => part.preload()))
  },
  completeness: (value) => (value === null ? 'empty' : 'complete'),
  untouched: null,
  isQuick: true,
  scorePlace: 'items',
  valueFilter: ({ options }) => labelFilter(options, false),
  shortcuts: [
    { keys: ['←', '→'], message: 'better' },
    { keys: ['Shift', '←'], message: 'muchBetter' },
    { keys: ['↓'], message: 'tie' },
    { keys: ['Shift', '↓'], message: 'bothBad' },
    { keys: ['1', '…', '6'], message: 'pick' },
    { keys: ['D'], message: 'differences' },
  ],
  comparing: { sidesOf: ({ compare }, viewer) => sidesFor(compare, viewer), FieldsView },
}
