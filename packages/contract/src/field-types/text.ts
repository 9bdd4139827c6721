import { z } from 'zod'
import { message } from '#wire/message.ts'
import { bool } from '#wire/scalars.ts'
import { defineFieldType } from './define.ts'

const TextFieldSettings = z.strictObject({ type: z.literal('text'), use_markdown: z.boolean() })

export const textField = defineFieldType({
  kind: 'text',
  createSettings: z.object({ type: z.literal('text'), use_markdown: bool().default(false) }),
  updateSettings: z.object({ type: z.literal('text'), use_markdown: bool() }),
  settings: TextFieldSettings,
  check: (value) => (typeof value === 'string' ? null : message('mustBeText')),
  fixtures: {
    settings: { type: 'text', use_markdown: false },
    valid: ['a text', '', '😀'],
    invalid: [1, true, {}, ['a'], [{ role: 'user', content: 'hi' }], 'a\0b', '\udc00'],
  },
})
