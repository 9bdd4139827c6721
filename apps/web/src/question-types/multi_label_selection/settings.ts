import { previewAgent, previewScores } from '#lib/constants.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { canFold, optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { MultiLabelSelectionSettingsForm } from './SettingsForm.tsx'

export const multiLabelSelectionSettings: QuestionSettingsSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  SettingsForm: MultiLabelSelectionSettingsForm,
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
