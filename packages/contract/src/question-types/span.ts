import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { bool, text } from '#wire/scalars.ts'
import type { DatasetParts } from './define.ts'
import { defineQuestionType } from './define.ts'
import {
  anyInt,
  createTreeOptions,
  labelChanges,
  mergeOptions,
  Option,
  refineOptions,
  updateTreeOptions,
  visibleOptions,
} from './options.ts'
import { spanRules } from './span.rules.ts'

const SpanSettings = z.strictObject({
  type: z.literal('span'),
  field: z.string(),
  options: z.array(Option),
  visible_options: z.int().nullable(),
  allow_overlapping: z.boolean(),
  allow_character_annotation: z.boolean(),
  ...labelChanges,
})
export type SpanSettings = z.infer<typeof SpanSettings>

/** A span question needs a text or chat field, and each field can have only one span question. */
const placementFault = ({ field }: SpanSettings, { fields, questions }: DatasetParts): string | null => {
  const texts = fields.filter(({ settings }) => settings.type === 'text' || settings.type === 'chat').map(({ name }) => name)
  if (!texts.includes(field)) {
    return `\`${field}\` is not a valid field for a span question: valid fields are ${texts.map((name) => `\`${name}\``).join(', ') || 'none'}`
  }
  const other = questions.find(({ settings }) => {
    const stored = SpanSettings.safeParse(settings)
    return stored.success && stored.data.field === field
  })
  return other ? `Field \`${field}\` is already used by span question \`${other.name}\`` : null
}

export const spanQuestion = defineQuestionType({
  kind: 'span',
  createSettings: ({ spanOptions }) =>
    z
      .object({
        type: z.literal('span'),
        field: text({ min: 1, max: 200 }),
        options: createTreeOptions(1, spanOptions),
        visible_options: visibleOptions(),
        allow_overlapping: bool().default(false),
      })
      .superRefine(refineOptions)
      .transform((settings) => ({ ...settings, allow_character_annotation: true })),
  settings: SpanSettings,
  updateSettings: patch(
    { options: updateTreeOptions, allow_overlapping: bool() },
    { visible_options: anyInt },
    { type: z.literal('span') },
  ),
  merge: (stored, update) => {
    if (stored.allow_overlapping && update.allow_overlapping !== true) {
      return "'allow_overlapping' cannot be turned off. Send `true` in each update of the settings"
    }
    const merged = mergeOptions(stored, update)
    if (typeof merged === 'string') return merged
    return { ...merged, allow_overlapping: update.allow_overlapping ?? merged.allow_overlapping }
  },
  placementFault,
  rules: spanRules,
  fixtures: {
    settings: {
      type: 'span',
      field: 'text',
      options: [
        { value: 'per', text: 'Person', description: null },
        { value: 'loc', text: 'Place', description: null },
      ],
      visible_options: null,
      allow_overlapping: false,
      allow_character_annotation: true,
    },
    fields: { text: '😀 Ada in Rome' },
    valid: [
      [],
      [{ label: 'per', start: 2, end: 5 }],
      [
        { label: 'loc', start: 9, end: 13 },
        { label: 'per', start: 0, end: 9 },
      ],
    ],
    invalid: [
      'per',
      ['per'],
      null,
      [{ label: 'org', start: 0, end: 1 }],
      [{ label: 'per', start: 9, end: 14 }],
      [{ label: 'per', start: 13, end: 14 }],
      [{ label: 'per', start: 2, end: 2 }],
      [{ label: 'per', start: -1, end: 2 }],
      [
        { label: 'per', start: 0, end: 3 },
        { label: 'loc', start: 2, end: 5 },
      ],
      [{ label: 'per', start: 0 }],
      [{ value: 'per', rank: 1 }],
    ],
    submittedInvalid: [],
  },
})
