import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'
import { MarkdownSettingsForm } from '../shared/MarkdownSettingsForm.tsx'

export const creation: FieldCreation<'chat'> = {
  kind: 'chat',
  order: 2,
  initial: { type: 'chat', use_markdown: true },
  isFaulty: () => false,
  prepare: null,
  // Has messages of both roles, because questions about turns often ask about only one of them.
  sample: (words) => ['user', 'assistant'].map((role) => ({ role, content: words })),
}

export const settings: FieldSettingsSlice<'chat'> = { kind: 'chat', SettingsForm: MarkdownSettingsForm, hasPreview: false }
