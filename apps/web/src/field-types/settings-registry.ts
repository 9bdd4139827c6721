import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { CustomSettingsForm } from './custom/SettingsForm.tsx'
import type { FieldSettingsSlice } from './define-settings.ts'
import { MarkdownSettingsForm } from './shared/MarkdownSettingsForm.tsx'

/** The changeable settings of every field kind. Separate from `registry.ts`, because annotators never load it. */
export const fieldSettings: { readonly [K in FieldKind]: FieldSettingsSlice<K> } = {
  text: { kind: 'text', SettingsForm: MarkdownSettingsForm, hasPreview: false },
  chat: { kind: 'chat', SettingsForm: MarkdownSettingsForm, hasPreview: false },
  image: { kind: 'image', SettingsForm: null, hasPreview: false },
  custom: { kind: 'custom', SettingsForm: CustomSettingsForm, hasPreview: true },
}

/** Returns the slice of a kind with its types erased. The caller must pass settings of that kind. */
export const fieldSettingsSlice = (kind: FieldKind): FieldSettingsSlice<FieldKind> =>
  fieldSettings[kind] as unknown as FieldSettingsSlice<FieldKind>
