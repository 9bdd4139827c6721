import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { bool } from '#wire/scalars.ts'
import { defineQuestionType } from './define.ts'
import { textRules } from './text.rules.ts'

const TextQuestionSettings = z.strictObject({
  type: z.literal('text'),
  use_markdown: z.boolean(),
  /**
   * Whether the answers are notes that are grouped and turned into labels. Omitted until it is set, because Argilla's API has no
   * such key.
   */
  codes: z.boolean().exactOptional(),
})
export type TextQuestionSettings = z.infer<typeof TextQuestionSettings>

export const textQuestion = defineQuestionType({
  kind: 'text',
  createSettings: () => z.object({ type: z.literal('text'), use_markdown: bool().default(false), codes: bool().exactOptional() }),
  settings: TextQuestionSettings,
  updateSettings: patch({ use_markdown: bool(), codes: bool() }, {}, { type: z.literal('text') }),
  merge: (stored, update) => ({ ...stored, ...update }),
  rules: textRules,
  fixtures: {
    settings: { type: 'text', use_markdown: true },
    valid: ['a text', '', '😀'],
    invalid: [1, null, true, ['a'], { value: 'a' }, 'a\0b', '\ud800'],
    submittedInvalid: [],
  },
})
