import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import { TextSettingsForm } from './SettingsForm.tsx'

const CreationForm = ({ settings, onChange }: CreationFormProps<'text'>) => (
  <TextSettingsForm settings={settings} stored={settings} onChange={onChange} />
)

export const textCreation: QuestionCreationSlice<'text'> = {
  kind: 'text',
  initial: () => ({ type: 'text', use_markdown: false }),
  CreationForm,
  fault: () => null,
}
