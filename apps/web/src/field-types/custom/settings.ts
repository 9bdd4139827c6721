import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'
import { CustomSettingsForm } from './SettingsForm.tsx'
import { loadTemplateCheck, templateFault } from './template-fault.ts'

export const creation: FieldCreation<'custom'> = {
  kind: 'custom',
  order: 4,
  initial: { type: 'custom', template: '<pre>{{json record.fields}}</pre>', advanced_mode: false },
  isFaulty: (settings) => templateFault(settings) !== null,
  prepare: loadTemplateCheck,
  sample: (words) => ({ text: words }),
}

export const settings: FieldSettingsSlice<'custom'> = {
  kind: 'custom',
  SettingsForm: CustomSettingsForm,
  otherView: 'trace',
  hasPreview: true,
}
