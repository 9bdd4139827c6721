import { z } from 'zod'
import { traceFault } from '#trace.ts'
import { bool, text } from '#wire/scalars.ts'
import { defineFieldType } from './define.ts'

/** Programs that don't know this type read it as a custom field, and show the trace with the field's template. */
const names = { type: z.literal('custom'), postil_kind: z.literal('trace') }
const view = z.literal('trace')
const plainTemplate = '<pre>{{json record.fields}}</pre>'

const TraceFieldSettings = z.strictObject({ ...names, view, template: z.string(), advanced_mode: z.boolean() })

export const traceField = defineFieldType({
  kind: 'trace',
  createSettings: z.object({
    type: names.type,
    postil_kind: names.postil_kind.default('trace'),
    view: view.default('trace'),
    template: text().default(plainTemplate),
    advanced_mode: bool().default(false),
  }),
  updateSettings: z.object({
    type: names.type,
    postil_kind: names.postil_kind.default('trace'),
    view: view.default('trace'),
    template: text().default(plainTemplate),
    advanced_mode: bool().default(false),
  }),
  settings: TraceFieldSettings,
  check: traceFault,
  fixtures: {
    settings: { type: 'custom', postil_kind: 'trace', view: 'trace', template: plainTemplate, advanced_mode: false },
    valid: [
      { steps: [] },
      {
        id: 'ignored',
        steps: [
          {
            id: 'a',
            kind: 'agent',
            name: 'answer',
            start: '2026-01-01T10:00:00.000Z',
            duration_ms: 1250.5,
            input: 'What is the weather in Zürich?',
            output: { text: 'Sunny' },
          },
          {
            id: 'b',
            parent: 'a',
            kind: 'llm',
            name: 'chat',
            model: 'small',
            tokens: { input: 12, output: 3 },
            input: [{ role: 'user', content: 'Hi' }],
            output: [{ role: 'assistant', tool_calls: [{ id: '1', name: 'weather', arguments: { city: 'Zürich' } }] }],
            attributes: { temperature: 0 },
          },
          { id: 'c', parent: 'missing', kind: 'tool', name: 'weather', error: 'Timeout' },
        ],
      },
    ],
    invalid: [
      'a',
      [],
      {},
      { steps: {} },
      { steps: ['a'] },
      { steps: [{ id: '', kind: 'llm', name: '' }] },
      { steps: [{ id: 'a', kind: 'unknown', name: '' }] },
      { steps: [{ id: 'a', kind: 'llm' }] },
      { steps: [{ id: 'a', kind: 'llm', name: '', start: 'today' }] },
      { steps: [{ id: 'a', kind: 'llm', name: '', duration_ms: -1 }] },
      { steps: [{ id: 'a', kind: 'llm', name: '', tokens: 5 }] },
      {
        steps: [
          { id: 'a', kind: 'llm', name: '' },
          { id: 'a', kind: 'tool', name: '' },
        ],
      },
      { steps: Array.from({ length: 5001 }, (_, i) => ({ id: String(i), kind: 'llm', name: '' })) },
    ],
  },
})
