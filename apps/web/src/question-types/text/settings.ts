import type { QuestionSettingsSlice } from '../define-settings.ts'
import { TextSettingsForm } from './SettingsForm.tsx'

export const textSettings: QuestionSettingsSlice<'text'> = {
  kind: 'text',
  SettingsForm: TextSettingsForm,
  fault: () => null,
  update: ({ use_markdown }) => ({ type: 'text', use_markdown }),
  sample: () => null,
}
