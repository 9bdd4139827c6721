import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { previewAgent, previewScores } from '#lib/constants.ts'
import type { QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { LabelsForm } from '../shared/labels/LabelsForm.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'
import { canFold, optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { MultiLabelSelectionSettingsForm } from './SettingsForm.tsx'

export const creation: QuestionCreationSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  order: 2,
  initial: ({ values }) => ({
    type: 'multi_label_selection',
    options: optionsOf(values ?? ['news', 'sports', 'international', 'politics']),
    visible_options: null,
    options_order: 'natural',
  }),
  CreationForm: LabelsForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}

export const settings: QuestionSettingsSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  SettingsForm: MultiLabelSelectionSettingsForm,
  canNest: true,
  fault: optionsFault,
  update: (settings) => ({
    type: 'multi_label_selection',
    ...optionsUpdate(settings),
    options_order: settings.options_order,
  }),
  sample: (settings) =>
    canFold(settings)
      ? {
          value: settings.options.slice(0, previewScores.length).map(({ value }) => value),
          score: previewScores,
          agent: previewAgent,
        }
      : null,
}
