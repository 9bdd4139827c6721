import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { defineQuestionType } from './define.ts'
import { labelSelectionRules } from './label_selection.rules.ts'
import {
  anyInt,
  createTreeOptions,
  labelChanges,
  mergeOptions,
  Option,
  refineOptions,
  updateTreeOptions,
  visibleOptions,
} from './options.ts'

const LabelSelectionSettings = z.strictObject({
  type: z.literal('label_selection'),
  options: z.array(Option),
  visible_options: z.int().nullable(),
  ...labelChanges,
})
export type LabelSelectionSettings = z.infer<typeof LabelSelectionSettings>

export const labelSelectionQuestion = defineQuestionType({
  kind: 'label_selection',
  createSettings: ({ labelOptions }) =>
    z
      .object({
        type: z.literal('label_selection'),
        options: createTreeOptions(2, labelOptions),
        visible_options: visibleOptions(),
      })
      .superRefine(refineOptions),
  settings: LabelSelectionSettings,
  updateSettings: patch({ options: updateTreeOptions }, { visible_options: anyInt }, { type: z.literal('label_selection') }),
  merge: mergeOptions,
  rules: labelSelectionRules,
  fixtures: {
    settings: {
      type: 'label_selection',
      options: [
        { value: 'a', text: 'A', description: null },
        { value: '1', text: 'One', description: 'the number' },
        { value: 'constructor', text: 'Constructor', description: null },
      ],
      visible_options: 3,
    },
    valid: ['a', '1', 'constructor'],
    invalid: ['b', '', 1, ['a'], null, true, { value: 'a' }],
    submittedInvalid: [],
  },
})
