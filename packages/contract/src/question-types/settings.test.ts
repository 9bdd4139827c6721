import { expect, test } from 'vitest'
import { QuestionCreate } from '#questions.ts'
import { defaultLimits } from '#wire/limits.ts'
import { toProblems } from '#wire/problems.ts'
import { mergeQuestionSettings, QuestionSettingsUpdate, questionType } from './index.ts'

const limits = { ...defaultLimits, labelOptions: 4 }
const option = (value: unknown, more: object = {}) => ({ value, text: `${value}`, ...more })
const created = (settings: unknown) => {
  const body = { name: 'q', title: 'Q', settings }
  const result = QuestionCreate(limits).safeParse(body)
  return result.success
    ? result.data.settings
    : toProblems(result.error, 'body', body).map(({ type, loc }) => [type, ...loc.slice(2)])
}
const label = (options: unknown, more: object = {}) => ({ type: 'label_selection', options, ...more })

test('defaults are applied and descriptions are always present', () => {
  expect(created({ type: 'text' })).toEqual({ type: 'text', use_markdown: false })
  expect(created({ type: 'multi_label_selection', options: [option('a'), option('b', { description: 'B' })] })).toEqual({
    type: 'multi_label_selection',
    options: [
      { value: 'a', text: 'a', description: null },
      { value: 'b', text: 'b', description: 'B' },
    ],
    visible_options: null,
    options_order: 'natural',
  })
  expect(created({ type: 'span', field: 'f', options: [option('a')], allow_character_annotation: false })).toEqual({
    type: 'span',
    field: 'f',
    options: [{ value: 'a', text: 'a', description: null }],
    visible_options: null,
    allow_overlapping: false,
    allow_character_annotation: true,
  })
})

test.each<[unknown, unknown[]]>([
  [label([option(1), option('b')]), ['string_type', 'label_selection', 'options', 0, 'value']],
  [label([option('a')]), ['too_short', 'label_selection', 'options']],
  [label(['a', 'b', 'c', 'd', 'e'].map((value) => option(value))), ['too_long', 'label_selection', 'options']],
  [label([option('a'), option('a')]), ['value_error', 'label_selection']],
  [label([option('a'), option('a')], { visible_options: 3 }), ['value_error', 'label_selection']],
  [{ type: 'ranking', options: [option('a'), option('a')] }, ['value_error', 'ranking']],
  [{ type: 'rating', options: [{ value: 1 }, { value: 1 }] }, ['value_error', 'rating']],
  [{ type: 'span', field: 'f', options: [option('a'), option('a')] }, ['value_error', 'span']],
  [label([option('a'), option('', { text: 'b' })]), ['string_too_short', 'label_selection', 'options', 1, 'value']],
  [label([option('a'), { value: 'b' }]), ['missing', 'label_selection', 'options', 1, 'text']],
  [label([option('a'), option('b', { parent: 'c' })]), ['value_error', 'label_selection']],
  [label([option('a'), option('b', { parent: 'b' })]), ['value_error', 'label_selection']],
  [label([option('a', { parent: 'b' }), option('b', { parent: 'a' })]), ['value_error', 'label_selection']],
  [label([option('a'), option('b', { parent: 1 })]), ['string_type', 'label_selection', 'options', 1, 'parent']],
  [label([option('a'), option('b')], { visible_options: 2 }), ['greater_than_equal', 'label_selection', 'visible_options']],
  [label([option('a'), option('b')], { visible_options: 3 }), ['value_error', 'label_selection']],
  [{ type: 'rating', options: [{ value: 0 }, { value: 11 }] }, ['less_than_equal', 'rating', 'options', 1, 'value']],
  [
    { type: 'multi_label_selection', options: [option('a'), option('b')], options_order: null },
    ['enum', 'multi_label_selection', 'options_order'],
  ],
  [{ type: 'text', use_markdown: null }, ['bool_type', 'text', 'use_markdown']],
  [{ type: 'span', options: [option('a')] }, ['missing', 'span', 'field']],
  [{ type: 'stars' }, ['union_tag_invalid']],
  [{}, ['union_tag_not_found']],
])('%# is refused at creation', (settings, problem) => {
  expect(created(settings)).toEqual([problem])
})

const update = (kind: 'label_selection' | 'multi_label_selection' | 'span' | 'rating', sent: object, stored: object = {}) =>
  mergeQuestionSettings(
    { ...questionType(kind).fixtures.settings, ...stored } as never,
    QuestionSettingsUpdate.parse({ type: kind, ...sent }),
  )
const refused = (sent: object) => {
  const result = QuestionSettingsUpdate.safeParse(sent)
  return result.success ? 'accepted' : toProblems(result.error, 'body', sent).map(({ type, loc }) => [type, ...loc])
}

test('an update merges: order, texts and visible options may change, values may not', () => {
  const reversed = ['constructor', '1', 'a'].map((value) => ({ value, text: '' }))
  expect(update('label_selection', { options: reversed })).toMatchObject({ options: reversed, visible_options: 3 })
  expect(update('label_selection', { visible_options: null })).toMatchObject({ visible_options: null })
  expect(update('label_selection', { visible_options: 2 })).toEqual(expect.any(String))
  expect(update('label_selection', { visible_options: 4 })).toEqual(expect.any(String))
  expect(update('label_selection', { options: reversed.slice(1) })).toEqual(expect.any(String))
  expect(update('label_selection', { options: [...reversed.slice(1), reversed[1]] })).toEqual(expect.any(String))
  expect(update('multi_label_selection', { options_order: 'suggestion' })).toMatchObject({ options_order: 'suggestion' })
  expect(update('rating', { options: [{ value: 9 }] })).toEqual(questionType('rating').fixtures.settings)
  expect(mergeQuestionSettings({ type: 'text', use_markdown: false }, { type: 'rating' })).toEqual(expect.any(String))
})

test('options keep their parents unless an update changes them', () => {
  const stored = {
    options: [
      { value: 'a', text: 'A', description: null },
      { value: 'b', text: 'B', description: null, parent: 'a' },
      { value: 'c', text: 'C', description: null, parent: 'b' },
    ],
    visible_options: null,
  }
  const options = (...parents: (string | null | undefined)[]) =>
    ['a', 'b', 'c'].map((value, i) => ({ value, text: value, ...(parents[i] !== undefined && { parent: parents[i] }) }))
  const parentsAfter = (...parents: (string | null | undefined)[]) => {
    const merged = update('label_selection', { options: options(...parents) }, stored)
    return typeof merged === 'string' || !('options' in merged)
      ? merged
      : merged.options.map((one) => ('parent' in one ? one.parent : null))
  }
  expect(parentsAfter()).toEqual([null, 'a', 'b'])
  expect(parentsAfter('c', null)).toEqual(['c', null, 'b'])
  expect(parentsAfter(undefined, 'c')).toBe("The parents of the options form a cycle: 'b', 'c', 'b'")
  expect(parentsAfter(undefined, 'd')).toBe("The parent 'd' of the option 'b' is not the value of an option")
})

test('overlapping spans stay allowed, and each update must repeat that', () => {
  expect(update('span', { allow_overlapping: true })).toMatchObject({ allow_overlapping: true })
  expect(update('span', {})).toMatchObject({ allow_overlapping: false })
  expect(update('span', { allow_overlapping: true }, { allow_overlapping: true })).toMatchObject({ allow_overlapping: true })
  expect(update('span', {}, { allow_overlapping: true })).toEqual(expect.any(String))
  expect(update('span', { allow_overlapping: false }, { allow_overlapping: true })).toEqual(expect.any(String))
})

test('an update cannot clear settings that have no empty value', () => {
  expect(refused({ type: 'label_selection', options: null })).toEqual([['value_error', 'body', 'label_selection']])
  expect(refused({ type: 'multi_label_selection', options_order: null })).toEqual([
    ['value_error', 'body', 'multi_label_selection'],
  ])
  expect(refused({ type: 'text', use_markdown: null })).toEqual([['value_error', 'body', 'text']])
})
