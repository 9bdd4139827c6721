import { expect, test } from 'vitest'
import { comparedFields, sidesFor } from '#comparison-sides.ts'
import { defaultLimits } from '#wire/limits.ts'
import type { ComparisonSettings } from './comparison.ts'
import {
  checkAnswerValue,
  mergeQuestionSettings,
  placementFault,
  QuestionSettingsCreate,
  QuestionSettingsUpdate,
  questionType,
} from './index.ts'

const settings = questionType('comparison').fixtures.settings as ComparisonSettings
const create = (sent: object) => QuestionSettingsCreate(defaultLimits).safeParse({ ...settings, ...sent })
const faultOf = (compare: object, options: readonly string[] = ['a', 'tie', 'b']) =>
  create({ options: options.map((value) => ({ value, text: value })), compare: { ...settings.compare, ...compare } }).error
    ?.issues[0]?.message

test('has defaults for everything but the fields', () => {
  const compare = { options: { a: 'text', b: 'other' } }
  const options = ['a', 'b'].map((value) => ({ value, text: value, description: null }))
  expect(create({ options, compare }).data).toEqual({
    ...settings,
    options,
    compare: { ...compare, strong: [], swap: true, ties: null, both_bad: null },
  })
})

test('names what does not fit the options', () => {
  expect(faultOf({})).toBeUndefined()
  const sentence = (fault: string) => `Value error, ${fault}`
  expect(faultOf({ ties: 'equal' })).toBe(sentence("`compare` contains 'equal', which is not the value of an option"))
  expect(faultOf({ both_bad: 'tie' })).toBe(sentence("`compare` contains the option 'tie' twice"))
  expect(faultOf({ ties: null })).toBe(sentence("`compare` does not contain the option 'tie'"))
  expect(faultOf({ options: { a: 'text', b: 'text' } })).toBe(
    sentence('The options of `compare` must prefer two different fields, but they prefer 1'),
  )
  expect(faultOf({ options: { a: 'text', aa: 'text', b: 'other' } }, ['a', 'aa', 'tie', 'b'])).toBe(
    sentence('`compare` must contain the same number of options for each field'),
  )
  const four = { a: 'text', aa: 'text', b: 'other', bb: 'other' }
  const ofFour = (strong: readonly string[]) => faultOf({ options: four, strong, ties: null }, Object.keys(four))
  expect(ofFour(['aa', 'bb'])).toBeUndefined()
  for (const strong of [[], ['a'], ['a', 'aa'], ['a', 'c'], ['a', 'b', 'bb']])
    expect(ofFour(strong)).toBe(sentence('`strong` of `compare` must contain one option for each field'))
  expect(faultOf({ strong: ['a', 'b'] })).toBe(
    sentence('`strong` of `compare` must be empty, because each field has only one option'),
  )
  const six = { a: 'text', aa: 'text', aaa: 'text', b: 'other', bb: 'other', bbb: 'other' }
  expect(faultOf({ options: six, ties: null }, Object.keys(six))).toBe(
    sentence('`compare` can contain at most 2 options for each field'),
  )
})

test('compares only fields of its dataset', () => {
  const fields = [{ name: 'text', settings: { type: 'text' } }]
  expect(placementFault(settings, { fields, questions: [] })).toBe('`other` is not a field of the dataset: its fields are `text`')
  expect(
    placementFault(settings, { fields: [...fields, { name: 'other', settings: { type: 'text' } }], questions: [] }),
  ).toBeNull()
})

test('keeps its kind and fields when a program that does not know it updates the options', () => {
  const options = settings.options.map((option) => ({ ...option, text: `${option.text}!` }))
  const update = QuestionSettingsUpdate.parse({ type: 'label_selection', options, visible_options: null })
  expect(mergeQuestionSettings(settings, update)).toEqual({ ...settings, options })
})

test('an update can only change whether the order is random', () => {
  const names = { type: 'label_selection', postil_kind: 'comparison' }
  const update = QuestionSettingsUpdate.parse({ ...names, compare: { swap: false } })
  expect(mergeQuestionSettings(settings, update)).toEqual({ ...settings, compare: { ...settings.compare, swap: false } })
  const other = QuestionSettingsUpdate.parse({ ...names, compare: { ties: null } })
  expect(mergeQuestionSettings(settings, other)).toBe('Only `swap` of `compare` can be changed')
})

test('an answer is one of its options', () => {
  const check = (value: string) => checkAnswerValue(value, { settings, submitted: true, fields: {} })
  expect([check('a'), check('tie'), check('maybe')]).toEqual([null, null, expect.anything()])
})

test('the order is swapped for half of the pairs of record and person, and never changes for a pair', () => {
  const count = 8000
  const ids = (person: number) => ({ recordId: '', userId: `00000000-0000-4000-8000-00000000000${person}` })
  const orders = Array.from({ length: count }, (_, at) => {
    const pair = { ...ids(at % 4), recordId: `00000000-0000-4000-8000-${String(at >> 2).padStart(12, '0')}` }
    const sides = sidesFor(settings.compare, pair)
    expect(sidesFor(settings.compare, pair)).toEqual(sides)
    return sides[0]
  })
  const swapped = orders.map((first) => (first === 'other' ? 1 : 0))
  const shareOf = (all: readonly number[]) => all.reduce((sum: number, one) => sum + one, 0) / all.length
  // A binomial test: the share must be within five standard deviations of the share of a fair coin.
  expect(Math.abs(shareOf(swapped) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / count))
  for (const person of [0, 1, 2, 3]) {
    const own = swapped.filter((_, at) => at % 4 === person)
    expect(Math.abs(shareOf(own) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / own.length))
  }
  // The orders for two people on the same record are independent.
  const same = Array.from({ length: count / 4 }, (_, record) => (swapped[4 * record] === swapped[4 * record + 1] ? 1 : 0))
  expect(Math.abs(shareOf(same) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / same.length))
  expect(sidesFor({ ...settings.compare, swap: false }, { recordId: '1', userId: '2' })).toEqual(comparedFields(settings.compare))
})
