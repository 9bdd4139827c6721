import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { defineQuestionType } from './define.ts'
import { multiLabelSelectionRules } from './multi_label_selection.rules.ts'
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

const OptionsOrder = z.enum(['natural', 'suggestion'])
const MultiLabelSelectionSettings = z.strictObject({
  type: z.literal('multi_label_selection'),
  options: z.array(Option),
  visible_options: z.int().nullable(),
  options_order: OptionsOrder,
  ...labelChanges,
})
export type MultiLabelSelectionSettings = z.infer<typeof MultiLabelSelectionSettings>

export const multiLabelSelectionQuestion = defineQuestionType({
  kind: 'multi_label_selection',
  createSettings: ({ labelOptions }) =>
    z
      .object({
        type: z.literal('multi_label_selection'),
        options: createTreeOptions(2, labelOptions),
        visible_options: visibleOptions(),
        options_order: OptionsOrder.default('natural'),
      })
      .superRefine(refineOptions),
  settings: MultiLabelSelectionSettings,
  updateSettings: patch(
    { options: updateTreeOptions, options_order: OptionsOrder },
    { visible_options: anyInt },
    { type: z.literal('multi_label_selection') },
  ),
  merge: (stored, update) => {
    const merged = mergeOptions(stored, update)
    return typeof merged === 'string' || !update.options_order ? merged : { ...merged, options_order: update.options_order }
  },
  rules: multiLabelSelectionRules,
  fixtures: {
    settings: {
      type: 'multi_label_selection',
      options: [
        { value: 'a', text: 'A', description: null },
        { value: 'b', text: 'B', description: null },
      ],
      visible_options: null,
      options_order: 'natural',
    },
    valid: [['a'], ['b', 'a']],
    invalid: [[], ['a', 'a'], ['c'], 'a', [1], ['a', 1], null, [{ value: 'a' }]],
    submittedInvalid: [],
  },
})
