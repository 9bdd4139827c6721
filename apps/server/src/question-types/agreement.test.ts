import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { questionKinds, questionTypes } from '@postil/contract/question-types/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreementOf, hasAgreement } from './agreement.ts'

const rating: QuestionSettings = { type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) }
const { settings: label } = questionTypes.label_selection.fixtures
const { settings: sets } = questionTypes.multi_label_selection.fixtures
const { settings: ranking } = questionTypes.ranking.fixtures
const { settings: spans } = questionTypes.span.fixtures
const { settings: text } = questionTypes.text.fixtures

const ranked = (...ranks: number[]) => ranks.map((rank, i) => ({ value: `option ${i}`, rank }))
const span = (start: number, end: number, name = 'a') => ({ label: name, start, end })

describe('the agreement on a record', () => {
  it('is the share of equal pairs for labels', () => {
    expect(agreementOf(label, ['a', 'a'])).toBe(1)
    expect(agreementOf(label, ['a', 'b'])).toBe(0)
    expect(agreementOf(label, ['a', 'b', 'a'])).toBe(1 / 3)
    expect(agreementOf(label, ['a', 'b', 'a', 'a'])).toBe(1 / 2)
  })
  it('is the mean Jaccard similarity for several labels, in any order', () => {
    expect(
      agreementOf(sets, [
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toBe(1)
    expect(
      agreementOf(sets, [
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toBe(1 / 3)
    expect(agreementOf(sets, [['a'], ['b', 'a'], ['c']])).toBeCloseTo(1 / 6, 15)
  })
  it('is the mean closeness on the scale for ratings', () => {
    expect(agreementOf(rating, [1, 5])).toBe(0)
    expect(agreementOf(rating, [2, 3])).toBe(0.75)
    expect(agreementOf(rating, [1, 3, 5])).toBeCloseTo(1 / 3, 15)
  })
  it('is the mean of (1 + tau-b) / 2 for rankings', () => {
    expect(agreementOf(ranking, [ranked(1, 2, 3), ranked(1, 2, 3)])).toBe(1)
    expect(agreementOf(ranking, [ranked(1, 2, 3), ranked(3, 2, 1)])).toBe(0)
    expect(agreementOf(ranking, [ranked(1, 2, 3), ranked(1, 2, 3).reverse()])).toBe(1)
    expect(agreementOf(ranking, [ranked(1, 2, 2, 4), ranked(1, 3, 2, 4)])).toBeCloseTo((1 + 0.912870929175277) / 2, 14)
    expect(agreementOf(ranking, [ranked(1, 1, 1), ranked(1, 2, 3)])).toBe(0.5)
  })
  it('is the mean F1 of equal spans', () => {
    expect(
      agreementOf(spans, [
        [span(0, 3), span(5, 9)],
        [span(5, 9), span(0, 3)],
      ]),
    ).toBe(1)
    expect(agreementOf(spans, [[span(0, 3), span(5, 9)], [span(0, 3)]])).toBe(2 / 3)
    expect(agreementOf(spans, [[span(0, 3)], [span(0, 3, 'b')]])).toBe(0)
    expect(agreementOf(spans, [[], [span(0, 3)]])).toBe(0)
    expect(agreementOf(spans, [[], []])).toBe(1)
  })
  it('is not measured for texts', () => {
    expect(hasAgreement(text)).toBe(false)
    expect(agreementOf(text, ['same', 'same'])).toBeNull()
  })
  it.each(questionKinds)('needs two answers: %s', (kind) => {
    const { settings, valid } = questionTypes[kind].fixtures
    expect(agreementOf(settings, [])).toBeNull()
    expect(agreementOf(settings, [valid[0]!])).toBeNull()
  })
  it.each(questionKinds.filter((kind) => hasAgreement(questionTypes[kind].fixtures.settings)))(
    'is the same number for every order of the answers, from 0 to 1: %s',
    (kind) => {
      const { settings, valid } = questionTypes[kind].fixtures
      const answers = fc.array(fc.constantFrom<AnswerValue>(...valid), { minLength: 2, maxLength: 7 })
      const shuffled = answers.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
      fc.assert(
        fc.property(shuffled, ([list, other]) => {
          const agreement = agreementOf(settings, list)
          expect(agreementOf(settings, other)).toBe(agreement)
          expect(agreement).toBeGreaterThanOrEqual(0)
          expect(agreement).toBeLessThanOrEqual(1)
        }),
      )
    },
  )
})
