import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { LabelsForm } from '../shared/labels/LabelsForm.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { LabelSelectionSettingsForm } from './SettingsForm.tsx'

export const creation: QuestionCreationSlice<'label_selection'> = {
  kind: 'label_selection',
  order: 1,
  initial: ({ values }) => ({
    type: 'label_selection',
    options: optionsOf(values ?? ['positive', 'negative', 'neutral']),
    visible_options: null,
  }),
  CreationForm: LabelsForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}

export const settings: QuestionSettingsSlice<'label_selection'> = {
  kind: 'label_selection',
  SettingsForm: LabelSelectionSettingsForm,
  canNest: true,
  fault: optionsFault,
  update: (settings) => ({ type: 'label_selection', ...optionsUpdate(settings) }),
  sample: () => null,
}
