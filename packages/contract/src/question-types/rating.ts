import { z } from 'zod'
import { int } from '#wire/scalars.ts'
import { defineQuestionType } from './define.ts'
import { refineUnique } from './options.ts'
import { ratingRules } from './rating.rules.ts'

const RatingSettings = z.strictObject({ type: z.literal('rating'), options: z.array(z.strictObject({ value: z.int() })) })
export type RatingSettings = z.infer<typeof RatingSettings>

export const ratingQuestion = defineQuestionType({
  kind: 'rating',
  createSettings: () =>
    z
      .object({
        type: z.literal('rating'),
        options: z
          .array(z.object({ value: int({ ge: 0, le: 10 }) }))
          .min(2)
          .max(11),
      })
      .superRefine(refineUnique),
  settings: RatingSettings,
  updateSettings: z.object({ type: z.literal('rating') }),
  merge: (stored) => stored,
  rules: ratingRules,
  fixtures: {
    settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 3 }] },
    valid: [1, 3],
    invalid: [0, 4, '1', true, 1.5, null, [1], []],
    submittedInvalid: [],
  },
})
