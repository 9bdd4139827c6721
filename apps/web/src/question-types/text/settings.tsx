import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { TextSettingsForm } from './SettingsForm.tsx'

const CreationForm = ({ settings, onChange }: CreationFormProps<'text'>) => (
  <TextSettingsForm settings={settings} stored={settings} onChange={onChange} />
)

export const creation: QuestionCreationSlice<'text'> = {
  kind: 'text',
  order: 4,
  initial: () => ({ type: 'text', use_markdown: false }),
  CreationForm,
  fault: () => null,
}

export const settings: QuestionSettingsSlice<'text'> = {
  kind: 'text',
  SettingsForm: TextSettingsForm,
  fault: () => null,
  update: ({ use_markdown, codes }) => ({ type: 'text', use_markdown, ...(codes !== undefined && { codes }) }),
  sample: () => null,
}
