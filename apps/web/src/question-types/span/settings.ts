import type { QuestionSettingsSlice } from '../define-settings.ts'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { SpanSettingsForm } from './SettingsForm.tsx'

export const spanSettings: QuestionSettingsSlice<'span'> = {
  kind: 'span',
  SettingsForm: SpanSettingsForm,
  fault: optionsFault,
  update: (settings) => ({ type: 'span', ...optionsUpdate(settings), allow_overlapping: settings.allow_overlapping }),
  sample: () => null,
}
