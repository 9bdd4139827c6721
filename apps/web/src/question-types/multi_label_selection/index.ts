import { multiLabelSelectionRules } from '@postil/contract/question-types/multi_label_selection.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { preloadTree } from '../shared/labels/LabelOptions.tsx'
import { labelFilter } from '../shared/labels/label-filter.ts'
import { MultiLabelSelectionEditor } from './Editor.tsx'
import { MultiLabelSelectionValue } from './Value.tsx'

export const slice: QuestionSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  rules: multiLabelSelectionRules,
  Editor: MultiLabelSelectionEditor,
  Value: MultiLabelSelectionValue,
  preload: preloadTree,
  completeness: (value) => (value === null || value.length === 0 ? 'empty' : 'complete'),
  untouched: null,
  scorePlace: 'items',
  valueFilter: ({ options }) => labelFilter(options, true),
  shortcuts: [
    { keys: ['1', '…', '9'], message: 'toggle' },
    { keys: ['A', '…', 'Z'], message: 'byName' },
    { keys: ['←', '→'], message: 'move' },
    { keys: ['Space'], message: 'toggleFocused' },
  ],
}
