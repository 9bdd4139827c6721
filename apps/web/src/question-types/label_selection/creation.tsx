import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { QuestionCreationSlice } from '../define-creation.ts'
import { LabelsForm } from '../shared/labels/LabelsForm.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'

export const labelSelectionCreation: QuestionCreationSlice<'label_selection'> = {
  kind: 'label_selection',
  initial: ({ values }) => ({
    type: 'label_selection',
    options: optionsOf(values ?? ['positive', 'negative', 'neutral']),
    visible_options: null,
  }),
  CreationForm: LabelsForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}
