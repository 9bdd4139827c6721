import type { FieldCreation, FieldSettingsSlice } from '../define-settings.ts'

export const creation: FieldCreation<'trace'> = {
  kind: 'trace',
  order: 5,
  initial: {
    type: 'custom',
    postil_kind: 'trace',
    view: 'trace',
    template: '<pre>{{json record.fields}}</pre>',
    advanced_mode: false,
  },
  isFaulty: () => false,
  prepare: null,
  sample: (words) => ({
    steps: [
      { id: '1', kind: 'agent', name: 'agent', duration_ms: 1800, input: words, output: words },
      { id: '2', parent: '1', kind: 'llm', name: 'model', duration_ms: 900, input: [{ role: 'user', content: words }] },
      { id: '3', parent: '1', kind: 'tool', name: 'tool', duration_ms: 300, input: { query: words }, output: words },
    ],
  }),
}

export const settings: FieldSettingsSlice<'trace'> = { kind: 'trace', SettingsForm: null, otherView: null, hasPreview: false }
