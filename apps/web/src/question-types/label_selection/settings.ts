import type { QuestionSettingsSlice } from '../define-settings.ts'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { LabelSelectionSettingsForm } from './SettingsForm.tsx'

export const labelSelectionSettings: QuestionSettingsSlice<'label_selection'> = {
  kind: 'label_selection',
  SettingsForm: LabelSelectionSettingsForm,
  fault: optionsFault,
  update: (settings) => ({ type: 'label_selection', ...optionsUpdate(settings) }),
  sample: () => null,
}
