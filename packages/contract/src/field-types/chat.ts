import { z } from 'zod'
import { message } from '#wire/message.ts'
import { bool } from '#wire/scalars.ts'
import { defineFieldType } from './define.ts'

const ChatFieldSettings = z.strictObject({ type: z.literal('chat'), use_markdown: z.boolean() })
export type ChatMessage = { readonly role: string; readonly content: string }

export const chatField = defineFieldType({
  kind: 'chat',
  createSettings: z.object({ type: z.literal('chat'), use_markdown: bool().default(true) }),
  updateSettings: z.object({ type: z.literal('chat'), use_markdown: bool() }),
  settings: ChatFieldSettings,
  // The items are not checked here. Every list in a record is validated as messages before the field's type is known.
  check: (value) => (Array.isArray(value) ? null : message('mustBeMessages')),
  fixtures: {
    settings: { type: 'chat', use_markdown: true },
    valid: [[], [{ role: 'user', content: 'hi' }]],
    invalid: [
      'hi',
      {},
      1,
      ['hi'],
      [{ role: 'user' }],
      [{ role: '', content: 'hi' }],
      [{ role: 'user', content: '' }],
      [{ role: 'r'.repeat(21), content: 'hi' }],
      [{ role: 'user', content: 'c'.repeat(20_001) }],
      [{ role: 'user', content: 1 }],
      Array.from({ length: 501 }, () => ({ role: 'user', content: 'hi' })),
    ],
  },
})
