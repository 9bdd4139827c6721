import type { QuestionSettingsSlice } from '../define-settings.ts'
import { canFold, optionsFault, optionsUpdate } from '../shared/option-settings.ts'
import { MultiLabelSelectionSettingsForm } from './SettingsForm.tsx'

/** Two labels suggest what a preview with suggestions looks like. */
const sampleScores = [0.5, 0.7]

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
          value: settings.options.slice(0, sampleScores.length).map(({ value }) => value),
          score: sampleScores,
          agent: 'system',
        }
      : null,
}
