import { expect, test } from 'vitest'
import type { AnswerValue } from '#answer-value.ts'
import { defaultLimits } from '#wire/limits.ts'
import { renderMessage } from '#wire/render-message.ts'
import { mergeQuestionSettings, placementFault, QuestionSettingsCreate, QuestionSettingsUpdate, questionType } from './index.ts'
import { askedTurns, countedTurns, turnsRules, turnsToLabel } from './turns.rules.ts'
import { turnsQuestion } from './turns.ts'

const { settings: stored } = turnsQuestion.fixtures
const { unit } = stored
const chat = [
  { role: 'user', content: '😀\nHi' },
  { role: 'assistant', content: 'Hello' },
  { role: 'user', content: 'Bye' },
  { role: 'assistant', content: 'Bye' },
]
const fields = { chat }
const good = (start: number, end: number, label = 'good') => ({ label, start, end })

const fault = (value: AnswerValue, change: object = {}, submitted = true) => {
  const reason = turnsRules.check(value, { settings: { ...stored, unit: { ...unit, ...change } }, submitted, fields })
  return reason === null ? null : renderMessage(reason)
}
const created = (given: object) => {
  const result = QuestionSettingsCreate(defaultLimits).safeParse({ ...stored, ...given })
  return result.success ? result.data : result.error.issues.map(({ message }) => message)
}
const updated = (given: object, before: object = stored) =>
  mergeQuestionSettings({ ...stored, ...before }, QuestionSettingsUpdate.parse({ type: 'span', ...given }))
const scale = ['1', '2', '3'].map((value) => ({ value, text: value, description: null, ordinal: 'true' as const }))

test('turns are counted in code points, without the line breaks between them', () => {
  const points = Array.from(chat.map(({ content }) => content).join('\n'))
  const turns = countedTurns(chat)
  expect(turns.map(({ start, end }) => points.slice(start, end).join(''))).toEqual(chat.map(({ content }) => content))
  expect(askedTurns(turns, unit).map(({ index }) => index)).toEqual([1, 3])
  expect(askedTurns(turns, { ...unit, roles: null })).toEqual(turns)
  for (const none of [null, 'text', 1, []]) expect(countedTurns(none)).toEqual([])
})

test('the steps of a trace are turns, and the span of a step is its position', () => {
  const steps = ['agent', 'tool', 'tool'].map((kind, i) => ({ id: String(i), kind, name: `step ${i}` }))
  const given = { settings: { ...stored, field: 'trace', unit: { ...unit, roles: ['tool'] } }, fields: { trace: { steps } } }
  const check = (value: AnswerValue) => {
    const reason = turnsRules.check(value, { ...given, submitted: true })
    return reason === null ? null : renderMessage(reason)
  }
  expect(countedTurns({ steps })[1]).toEqual({ index: 1, role: 'tool', start: 1, end: 2, name: 'step 1' })
  expect(countedTurns({ steps: [{ id: 'a' }] })).toEqual([])
  expect(check([good(1, 2), good(2, 3, 'bad')])).toBeNull()
  expect(check([good(1, 2)])).toBe('Turn 3 (tool) has no label')
  expect(check([good(1, 3)])).toBe('Span "good" (1–3) is not a whole turn of field `trace`')
  expect(check([good(0, 1)])).toBe('Turn 1 has the role agent, but the question is about turns with the roles tool')
  const parts = (settings: { readonly type: string }) => ({ fields: [{ name: 'chat', settings }], questions: [] })
  const trace = { type: 'custom', view: 'trace' }
  expect(placementFault(stored, parts(trace))).toBeNull()
  expect(placementFault(stored, parts({ type: 'custom' }))).toContain('valid fields are none')
})

test('each fault names the turn', () => {
  expect(fault([good(5, 10), good(15, 18, 'bad')])).toBeNull()
  expect(fault([good(5, 9)])).toBe('Span "good" (5–9) is not a whole turn of field `chat`')
  expect(fault([good(0, 4)])).toBe('Turn 1 has the role user, but the question is about turns with the roles assistant')
  expect(fault([good(0, 4)], { roles: null, required: 'any' })).toBeNull()
  expect(fault([good(5, 10), good(5, 10, 'bad')])).toBe('Turn 2 has the labels "good", "bad", but it can have only one')
  expect(fault([good(5, 10), good(5, 10)], { exclusive: false })).toBe('Turn 2 has the label "good" twice')
  expect(fault([good(5, 10), good(5, 10, 'bad')], { exclusive: false, required: 'any' })).toBeNull()
  expect(fault([good(5, 10)])).toBe('Turn 4 (assistant) has no label')
  expect(fault([], { required: 'any' })).toBe('At least one turn of field `chat` needs a label')
  expect(fault([], { required: 'none' })).toBeNull()
})

test('drafts can be incomplete', () => {
  expect(fault([], {}, false)).toBeNull()
  expect(fault([good(5, 10)], {}, false)).toBeNull()
  expect(fault([good(0, 4)], {}, false)).not.toBeNull()
})

test('a conversation without turns of these roles needs no label', () => {
  for (const required of ['each', 'any'] as const)
    expect(turnsToLabel([], { field: 'chat', unit: { ...unit, roles: ['tool'], required } }, fields)).toEqual([])
  expect(turnsToLabel(null, stored, fields).map(({ index }) => index)).toEqual([1, 3])
  expect(turnsToLabel([good(5, 10)], { field: 'chat', unit: { ...unit, required: 'any' } }, fields)).toEqual([])
})

test('new settings have defaults and are checked', () => {
  const { allow_overlapping: _, ...rest } = stored
  expect(QuestionSettingsCreate(defaultLimits).parse({ ...rest, unit: { of: 'turn' } })).toMatchObject({
    allow_overlapping: false,
    unit: { of: 'turn', roles: null, required: 'each', exclusive: true },
  })
  expect(QuestionSettingsCreate(defaultLimits).parse({ ...rest, unit: { of: 'turn', exclusive: false } })).toMatchObject({
    allow_overlapping: true,
  })
  expect(QuestionSettingsCreate(defaultLimits).parse({ ...rest, allow_overlapping: true, unit: { of: 'turn' } })).toMatchObject({
    unit: { exclusive: false },
  })
  expect(created({ allow_overlapping: true })).toEqual([expect.stringContaining('must not be equal')])
  for (const wrong of [
    undefined,
    null,
    {},
    { ...unit, of: 'message' },
    { ...unit, more: 1 },
    { ...unit, roles: [] },
    { ...unit, roles: ['a', 'a'] },
    { ...unit, roles: [''] },
    { ...unit, roles: ['r'.repeat(21)] },
    { ...unit, roles: 'assistant' },
    { ...unit, required: 'all' },
    { ...unit, exclusive: null },
  ])
    expect(created({ unit: wrong })).toEqual([expect.any(String)])
})

test('a scale has ordinal options only, and one rating for each turn', () => {
  expect(created({ options: scale })).toMatchObject({ options: scale })
  expect(created({ options: [...scale, { value: 'n', text: 'N' }] })).toEqual([expect.stringContaining('or for none')])
  expect(created({ options: scale, allow_overlapping: true, unit: { ...unit, exclusive: false } })).toEqual([
    expect.stringContaining('only one rating'),
  ])
  expect(created({ options: [{ value: '1', text: '1', ordinal: 'yes' }] })).toEqual([expect.any(String)])
})

test('an update without the kind leaves the unit and the scale alone', () => {
  const options = scale.map(({ ordinal: _, ...option }) => ({ ...option, text: `${option.value}!` }))
  expect(updated({ options, allow_overlapping: false }, { options: scale })).toEqual({
    ...stored,
    options: scale.map((option) => ({ ...option, text: `${option.value}!` })),
  })
})

test('an update can only allow more', () => {
  const kind = { postil_kind: 'turns' }
  expect(updated({ ...kind, unit: { required: 'any' } })).toEqual({ ...stored, unit: { ...unit, required: 'any' } })
  expect(updated({ ...kind, unit: { roles: ['user', 'assistant'] } })).toMatchObject({ unit: { roles: ['user', 'assistant'] } })
  expect(updated({ ...kind, unit: { roles: null } })).toMatchObject({ unit: { roles: null } })
  expect(updated({ ...kind, unit: { roles: ['user'] } })).toContain("'assistant' must stay")
  expect(updated({ ...kind, unit: { roles: ['user'] } }, { unit: { ...unit, roles: null } })).toContain('cannot be limited')
  const several = { allow_overlapping: true, unit: { ...unit, exclusive: false } }
  expect(updated({ ...kind, unit: { exclusive: false } })).toEqual({ ...stored, ...several })
  expect(updated({ allow_overlapping: true })).toEqual({ ...stored, ...several })
  expect(updated({ ...kind, unit: { exclusive: true } }, several)).toContain('cannot be turned on')
  expect(updated({ ...kind, unit: { exclusive: false }, allow_overlapping: false })).toContain('must not be equal')
  expect(updated({ ...kind, unit: { exclusive: false } }, { options: scale })).toContain('only one rating')
  expect(updated({ options: scale.toReversed() }, { options: scale })).toContain('order')
  expect(updated({ ...kind, options: stored.options.map((option) => ({ ...option, ordinal: 'true' })) })).toContain('`ordinal`')
})

test('several questions about turns and one question about spans share a field', () => {
  const parts = {
    fields: [
      { name: 'chat', settings: { type: 'chat' } },
      { name: 'text', settings: { type: 'text' } },
    ],
    questions: [{ name: 'first', settings: stored }],
  }
  const span = { ...questionType('span').fixtures.settings, field: 'chat' }
  expect(placementFault(stored, parts)).toBeNull()
  expect(placementFault(span, parts)).toBeNull()
  expect(placementFault(stored, { ...parts, questions: [{ name: 'parts', settings: span }] })).toBeNull()
  expect(placementFault(span, { ...parts, questions: [{ name: 'parts', settings: span }] })).toContain('already used')
  expect(placementFault({ ...stored, field: 'text' }, parts)).toContain('valid fields are `chat`')
})

test('merged labels of a turn become one', () => {
  const value = [good(5, 10), good(5, 10, 'bad'), good(15, 18)]
  expect(turnsRules.replaceLabels?.(value, () => 'good')).toEqual([good(5, 10), good(15, 18)])
})
