import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'

export const creation: FieldCreation<'image'> = {
  kind: 'image',
  order: 3,
  initial: { type: 'image' },
  isFaulty: () => false,
  prepare: null,
  sample: () => null,
}

export const settings: FieldSettingsSlice<'image'> = { kind: 'image', SettingsForm: null, hasPreview: false }
