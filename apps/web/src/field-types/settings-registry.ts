import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { CustomSettingsForm } from './custom/SettingsForm.tsx'
import type { FieldSettingsSlice } from './define-settings.ts'
import { MarkdownSettingsForm } from './shared/MarkdownSettingsForm.tsx'

/** Every kind of field says here what of it can be changed. Apart from `registry.ts`: annotators never load it. */
export const fieldSettings: { readonly [K in FieldKind]: FieldSettingsSlice<K> } = {
  text: { kind: 'text', SettingsForm: MarkdownSettingsForm, hasPreview: false },
  chat: { kind: 'chat', SettingsForm: MarkdownSettingsForm, hasPreview: false },
  image: { kind: 'image', SettingsForm: null, hasPreview: false },
  custom: { kind: 'custom', SettingsForm: CustomSettingsForm, hasPreview: true },
}

/** The slice of a kind with its own types forgotten: whoever uses it hands it settings of that kind. */
export const fieldSettingsSlice = (kind: FieldKind): FieldSettingsSlice<FieldKind> =>
  fieldSettings[kind] as unknown as FieldSettingsSlice<FieldKind>
