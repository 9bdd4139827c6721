import type { QuestionAgreement } from '@postil/contract/agreement.ts'
import type { QuestionInsights } from '@postil/contract/insights.ts'
import { expect, test } from 'vitest'
import { headlineOf, skewOf, spanOf } from './headline.ts'

const found = (more: Partial<QuestionAgreement>) =>
  ({ measure: 'alpha_nominal', value: 0.4, reason: null, secondary: [], interval: null, ...more }) as unknown as QuestionAgreement
const counted = (...counts: number[]) =>
  ({
    answers: counts.reduce((a, b) => a + b, 0),
    values: counts.map((count, value) => ({ value, count, users: [] })),
  }) as unknown as QuestionInsights
const gwet = { measure: 'gwet_ac1', value: 0.93, reason: null } as const

test('texts have no main coefficient, so the first of the others is used', () => {
  const secondary = [{ measure: 'equal_share' as const, value: 0.5, reason: null }]
  expect(headlineOf(found({ measure: null, value: null, secondary }))).toEqual(secondary[0])
  expect(headlineOf(found({ secondary }))).toEqual({ measure: 'alpha_nominal', value: 0.4, reason: null })
})

test('AC1 is shown next to alpha only if more than 90% of the answers are equal', () => {
  expect(skewOf(found({ secondary: [gwet] }), counted(91, 9))).toMatchObject({ measure: 'gwet_ac1', value: 0.93 })
  expect(skewOf(found({ secondary: [gwet] }), counted(90, 10))).toBeNull()
  expect(skewOf(found({ secondary: [{ ...gwet, value: null }] }), counted(99, 1))).toBeNull()
  expect(skewOf(found({}), counted(99, 1))).toBeNull()
  expect(skewOf(found({ secondary: [gwet] }), undefined)).toBeNull()
})

test('the scale of the bars begins below zero only if a value or an interval does', () => {
  expect(spanOf([found({ interval: [0.1, 0.5] })])).toBe(0)
  expect(spanOf([found({}), found({ interval: [-0.1, 0.5] })])).toBe(-0.25)
})
