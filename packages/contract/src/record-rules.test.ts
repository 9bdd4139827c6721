import { expect, test } from 'vitest'
import type { AnswerValue } from './answer-value.ts'
import { checkMetadata, checkRecordFields, checkResponse, checkSuggestion, checkVector } from './record-rules.ts'
import type { Reason } from './wire/message.ts'
import { renderMessage } from './wire/render-message.ts'

const text = { type: 'text', use_markdown: false } as const
const fields = [
  { name: 'text', required: true, settings: text },
  { name: 'toString', required: false, settings: text },
]
const refused = expect.anything()
const render = (reason: Reason | null): string | null => reason && renderMessage(reason)

test('fields: not empty, then required, then known, then by type', () => {
  expect(render(checkRecordFields({}, fields))).toContain('empty')
  expect(render(checkRecordFields({ other: 1 }, fields))).toContain('`text`')
  expect(render(checkRecordFields({ text: null }, fields))).toContain('`text`')
  expect(render(checkRecordFields({ text: {}, other: 'a' }, fields))).toContain('`other`')
  expect(render(checkRecordFields({ text: {} }, fields))).toContain('must be text')
  expect(checkRecordFields({ text: '', toString: null }, fields)).toBeNull()
  expect(render(checkRecordFields(JSON.parse('{"text":"a","__proto__":"b"}'), fields))).toContain('`__proto__`')
})

test('metadata is checked without a property', () => {
  expect(checkMetadata({ any: { nested: [1] } }, [], true)).toBeNull()
  expect(checkMetadata({ any: null }, [], false)).toEqual(refused)
  expect(checkMetadata({ any: 2 ** 60 }, [], true)).toEqual(refused)
  expect(checkMetadata(null, [], false)).toBeNull()
})

test('vectors are checked', () => {
  expect(checkVector('v', [0, 1], 2)).toBeNull()
  expect(checkVector('v', [1], 2)).toContain('must have 2 elements')
  expect(checkVector('v', [0, -0], 2)).toContain('zeros only')
})

const label = {
  name: 'label',
  required: true,
  settings: {
    type: 'label_selection',
    options: ['a', 'b'].map((value) => ({ value, text: value, description: null })),
    visible_options: null,
  },
} as const
const note = { name: 'note', required: false, settings: text } as const
const questions = [label, note]

test('answers are checked in the order of the rules', () => {
  const check = (values: { [name: string]: { value: AnswerValue } } | null, status: 'draft' | 'submitted' | 'discarded') =>
    render(checkResponse(values, status, questions, { fields: {}, metadata: null }))
  expect(check(null, 'submitted')).toContain('Missing response values')
  expect(check({}, 'submitted')).toContain('Missing response values')
  expect(check({ nope: { value: 'x' } }, 'submitted')).toContain('required question with name=label')
  expect(check({ nope: { value: 'x' }, label: { value: 'z' } }, 'submitted')).toContain('name=nope')
  expect(check({ label: { value: 'z' } }, 'submitted')).toContain('name=label is not valid')
  expect(check({ label: { value: 'a' } }, 'submitted')).toBeNull()
  expect([check(null, 'draft'), check({}, 'draft'), check({ note: { value: '' } }, 'draft')]).toEqual([null, null, null])
  expect(check({ label: { value: 'z' } }, 'discarded')).toEqual(refused)
})

test('a suggestion has as many scores as values', () => {
  const multi = {
    name: 'm',
    required: false,
    settings: { ...label.settings, type: 'multi_label_selection', options_order: 'natural' },
  } as const
  expect(checkSuggestion({ value: 'a', score: 0.5 }, label, {})).toBeNull()
  expect(checkSuggestion({ value: ['a', 'b'], score: [0.5, 1] }, multi, {})).toBeNull()
  expect(checkSuggestion({ value: ['a', 'b'] }, multi, {})).toBeNull()
  expect(checkSuggestion({ value: 'a', score: [0.5] }, label, {})).toEqual(refused)
  expect(checkSuggestion({ value: ['a'], score: 0.5 }, multi, {})).toEqual(refused)
  expect(checkSuggestion({ value: ['a'], score: [0.5, 1] }, multi, {})).toEqual(refused)
  expect(checkSuggestion({ value: 'z' }, label, {})).toEqual(refused)
})
