import { describe, expect, test } from 'vitest'
import { AnswerValue, BulkAnswerValues } from '#answer-value.ts'
import { defaultLimits } from '#wire/limits.ts'
import { checkAnswerValue, QuestionSettings, QuestionSettingsCreate, questionKinds, questionType } from './index.ts'

describe.each(questionKinds)('question type %s', (kind) => {
  const { fixtures, createSettings } = questionType(kind)
  const { settings, fields = {} } = fixtures
  const check = (value: unknown, submitted: boolean) => {
    const parsed = AnswerValue.safeParse(value)
    return parsed.success ? checkAnswerValue(parsed.data, { settings, submitted, fields }) : 'not an answer value'
  }

  test('settings read back as they were created', () => {
    expect(createSettings(defaultLimits).parse({ ...settings, unknown: 1 })).toEqual(settings)
    expect(QuestionSettingsCreate(defaultLimits).parse(settings)).toEqual(settings)
    expect(QuestionSettings.parse(settings)).toEqual(settings)
  })

  test('an update that repeats the settings changes nothing', () => {
    const { updateSettings, merge } = questionType(kind)
    expect(merge(settings, updateSettings.parse(settings))).toEqual(settings)
  })

  test.each(fixtures.valid.map((value) => [value]))('%j is valid with any status', (value) => {
    expect(AnswerValue.parse(value)).toEqual(value)
    expect([check(value, false), check(value, true)]).toEqual([null, null])
  })

  test.each(fixtures.invalid.map((value) => [value]))('%j is refused with any status', (value) => {
    expect([check(value, false), check(value, true)]).toEqual([expect.anything(), expect.anything()])
  })

  test('values that are refused only when submitted', () => {
    for (const value of fixtures.submittedInvalid) {
      expect([check(value, false), check(value, true)]).toEqual([null, expect.anything()])
    }
  })

  test.each([[[1]], [[null]], [[true]], [['a', 1]], [['a', {}]], [[[]]], [[{ value: 'a', rank: 1 }, null]]])(
    'in a bulk, %j is left to the question, which refuses it',
    (value) => {
      const { one } = BulkAnswerValues.parse({ one: { value } })
      for (const submitted of [false, true]) {
        expect(checkAnswerValue(one?.value ?? '', { settings, submitted, fields })).toEqual(expect.anything())
      }
    },
  )

  test('values of the other types do not throw', () => {
    for (const other of questionKinds.filter((name) => name !== kind)) {
      for (const value of questionType(other).fixtures.valid) expect(() => check(value, true)).not.toThrow()
    }
  })
})
