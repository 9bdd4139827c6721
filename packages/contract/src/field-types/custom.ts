import { z } from 'zod'
import { isJsonObject } from '#wire/json.ts'
import { message } from '#wire/message.ts'
import { bool, text } from '#wire/scalars.ts'
import { defineFieldType } from './define.ts'

const CustomFieldSettings = z.strictObject({ type: z.literal('custom'), template: z.string(), advanced_mode: z.boolean() })

export const customField = defineFieldType({
  kind: 'custom',
  createSettings: z.object({ type: z.literal('custom'), template: text(), advanced_mode: bool().default(false) }),
  updateSettings: z.object({ type: z.literal('custom'), template: text(), advanced_mode: bool() }),
  settings: CustomFieldSettings,
  check: (value) => (isJsonObject(value) ? null : message('mustBeObject')),
  fixtures: {
    settings: { type: 'custom', template: '<p>{{record.fields.a}}</p>', advanced_mode: false },
    valid: [{}, { a: 1, b: [true, null, { c: 'd' }] }],
    invalid: ['a', 1, [], [{ role: 'user', content: 'hi' }], { a: 'b\0' }, { a: 2 ** 53 }],
  },
})
