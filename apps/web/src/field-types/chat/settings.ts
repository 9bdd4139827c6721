import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'
import { MarkdownSettingsForm } from '../shared/MarkdownSettingsForm.tsx'

export const creation: FieldCreation<'chat'> = {
  kind: 'chat',
  order: 2,
  initial: { type: 'chat', use_markdown: true },
  isFaulty: () => false,
  prepare: null,
  // The sample has messages of both roles, because a question about turns often asks about only one role.
  sample: (words) => ['user', 'assistant'].map((role) => ({ role, content: words })),
}

export const settings: FieldSettingsSlice<'chat'> = { kind: 'chat', SettingsForm: MarkdownSettingsForm, hasPreview: false }
