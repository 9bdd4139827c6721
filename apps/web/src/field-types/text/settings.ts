import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'
import { MarkdownSettingsForm } from '../shared/MarkdownSettingsForm.tsx'

export const creation: FieldCreation<'text'> = {
  kind: 'text',
  order: 1,
  initial: { type: 'text', use_markdown: false },
  isFaulty: () => false,
  prepare: null,
  sample: (words) => words,
}

export const settings: FieldSettingsSlice<'text'> = { kind: 'text', SettingsForm: MarkdownSettingsForm, hasPreview: false }
