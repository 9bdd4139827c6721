import { labelSelectionRules } from '@postil/contract/question-types/label_selection.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { preloadTree } from '../shared/labels/LabelOptions.tsx'
import { labelFilter } from '../shared/labels/label-filter.ts'
import { LabelSelectionEditor } from './Editor.tsx'
import { LabelSelectionValue } from './Value.tsx'

export const slice: QuestionSlice<'label_selection'> = {
  kind: 'label_selection',
  rules: labelSelectionRules,
  Editor: LabelSelectionEditor,
  Value: LabelSelectionValue,
  preload: preloadTree,
  completeness: (value) => (value === null ? 'empty' : 'complete'),
  untouched: null,
  isQuick: true,
  scorePlace: 'items',
  valueFilter: ({ options }) => labelFilter(options, false),
  shortcuts: [
    { keys: ['1', '…', '9'], message: 'pick' },
    { keys: ['A', '…', 'Z'], message: 'byName' },
    { keys: ['←', '→'], message: 'move' },
    { keys: ['Space'], message: 'toggle' },
  ],
}
