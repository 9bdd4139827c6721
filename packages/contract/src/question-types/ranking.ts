import { z } from 'zod'
import { defineQuestionType } from './define.ts'
import { createOptions, labelChanges, Option, refineUnique } from './options.ts'
import { rankingRules } from './ranking.rules.ts'

const RankingSettings = z.strictObject({ type: z.literal('ranking'), options: z.array(Option), ...labelChanges })
export type RankingSettings = z.infer<typeof RankingSettings>

export const rankingQuestion = defineQuestionType({
  kind: 'ranking',
  createSettings: () => z.object({ type: z.literal('ranking'), options: createOptions(2, 50) }).superRefine(refineUnique),
  settings: RankingSettings,
  updateSettings: z.object({ type: z.literal('ranking') }),
  merge: (stored) => stored,
  rules: rankingRules,
  fixtures: {
    settings: {
      type: 'ranking',
      options: [
        { value: 'x', text: 'X', description: null },
        { value: 'y', text: 'Y', description: null },
      ],
    },
    valid: [
      [
        { value: 'x', rank: 1 },
        { value: 'y', rank: 2 },
      ],
      [
        { value: 'y', rank: 2 },
        { value: 'x', rank: 2 },
      ],
    ],
    invalid: [
      ['x', 'y'],
      'x',
      1,
      null,
      [{ value: 'z', rank: 1 }],
      [
        { value: 'x', rank: 1 },
        { value: 'x', rank: 2 },
      ],
      [{ value: 'x', rank: 'first' }],
      [{ rank: 1 }],
    ],
    submittedInvalid: [
      [],
      [{ value: 'x', rank: 1 }],
      [
        { value: 'x', rank: 1 },
        { value: 'y', rank: null },
      ],
      [
        { value: 'x', rank: 1 },
        { value: 'y', rank: 3 },
      ],
      [
        { value: 'x', rank: 0 },
        { value: 'y', rank: 1 },
      ],
    ],
  },
})
