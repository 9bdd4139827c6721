import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { QuestionCreationSlice } from '../define-creation.ts'
import { LabelsForm } from '../shared/labels/LabelsForm.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'

export const multiLabelSelectionCreation: QuestionCreationSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  initial: ({ values }) => ({
    type: 'multi_label_selection',
    options: optionsOf(values ?? ['news', 'sports', 'international', 'politics']),
    visible_options: null,
    options_order: 'natural',
  }),
  CreationForm: LabelsForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}
