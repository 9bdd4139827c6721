import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Gold, GoldSource } from '@postil/contract/gold.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { AnswerGroup, ComparedQuestion } from '@postil/contract/review.ts'
import { describe, expect, test } from 'vitest'
import {
  areStored,
  candidatesOf,
  type Decisions,
  firstQuestion,
  initialDecisions,
  isOpen,
  isSettled,
  majorityOf,
  nextOpen,
  noDecision,
  type ReviewedQuestion,
  sourceOf,
  valuesToSend,
} from './decisions.ts'

const group = (value: AnswerValue, count: number, suggested = false): AnswerGroup => ({ value, count, users: [], suggested })
const compared = (name: string, ...groups: readonly AnswerGroup[]): ComparedQuestion => ({
  name,
  groups: [...groups],
  without: 0,
  agreement: null,
})
const labels = { type: 'label_selection', options: ['a', 'b', 'c'].map((value) => ({ value, text: value, description: null })) }
const question = (name: string, required = true, settings: object = labels): Question =>
  ({ id: name, name, title: name, required, settings }) as unknown as Question
const reviewed = (name: string, groups: readonly AnswerGroup[], required = true, settings?: object): ReviewedQuestion => ({
  question: question(name, required, settings),
  compared: compared(name, ...groups),
})
const by = { id: 'ann', username: 'ann' }
const at = '2030-01-01T00:00:00.000000'
const goldOf = (values: { readonly [name: string]: AnswerValue }, more: Partial<Gold> = {}): Gold => ({
  record_id: 'r',
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, source: 'imported', reason: null, note: null, by, at }]),
  ),
  final: true,
  stale: false,
  version: 3,
  by,
  updated_at: at,
  ...more,
})
const decided = (values: { readonly [name: string]: AnswerValue | null }): Decisions =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { ...noDecision, value }]))

describe('the source of a final answer', () => {
  test.each<[string, readonly AnswerGroup[], AnswerValue, 'choice' | 'majority' | 'editor', GoldSource]>([
    ['the only answer', [group('a', 1)], 'a', 'choice', 'accepted'],
    ['an answer that everyone gave', [group('a', 3)], 'a', 'choice', 'unanimous'],
    [
      'an answer that everyone gave, next to another suggestion',
      [group('a', 2), group('b', 0, true)],
      'a',
      'choice',
      'unanimous',
    ],
    ['the suggestion that nobody gave', [group('a', 2), group('b', 0, true)], 'b', 'choice', 'adjudicated'],
    ['an entered answer instead of the only one', [group('a', 1)], 'b', 'editor', 'adjudicated'],
    ['an answer of most people', [group('a', 2), group('b', 1)], 'a', 'choice', 'majority'],
    ['an entered answer that equals that of most people', [group('a', 2), group('b', 1)], 'a', 'editor', 'majority'],
    ['an answer of few people', [group('a', 2), group('b', 1)], 'b', 'choice', 'adjudicated'],
    ['one of two equally frequent answers', [group('a', 1), group('b', 1)], 'a', 'choice', 'adjudicated'],
    ['the most frequent answer without a majority', [group('a', 2), group('b', 1), group('c', 1)], 'a', 'choice', 'adjudicated'],
    ['the same, taken as such', [group('a', 2), group('b', 1), group('c', 1)], 'a', 'majority', 'majority'],
    ['labels in another order', [group(['a', 'b'], 2)], ['b', 'a'], 'editor', 'unanimous'],
  ])('%s', (_, groups, value, how, expected) => {
    expect(sourceOf(compared('q', ...groups), value, how)).toBe(expected)
  })
})

test('two equally frequent answers have no majority', () => {
  expect(majorityOf(compared('q', group('a', 2), group('b', 2), group('c', 1)))).toBeNull()
  expect(majorityOf(compared('q'))).toBeNull()
  expect(majorityOf(compared('q', group('a', 2), group('b', 1)))?.value).toBe('a')
})

describe('a review starts', () => {
  const agreed = reviewed('agreed', [group('a', 2)])
  const disputed = reviewed('disputed', [group('a', 1), group('b', 1)])
  const empty = reviewed('empty', [], false)
  const all = [agreed, disputed, empty]

  test('with the answers that everyone gave, at the first disputed question', () => {
    const decisions = initialDecisions(all, null)
    expect(decisions).toEqual(decided({ agreed: 'a' }))
    expect(firstQuestion(all, decisions, null)).toBe('disputed')
    expect(all.map((one) => isSettled(one, null))).toEqual([true, false, true])
  })
  test('with the stored final answers', () => {
    const gold = goldOf({ agreed: 'a', disputed: 'c' })
    const decisions = initialDecisions(all, gold)
    expect(decisions).toEqual(decided({ agreed: 'a', disputed: 'c', empty: null }))
    expect(nextOpen(all, decisions)).toBeNull()
    expect(candidatesOf(disputed, decisions, gold).map(({ value, isGold, isOwn }) => [value, isGold, isOwn])).toEqual([
      ['a', false, false],
      ['b', false, false],
      ['c', true, false],
    ])
  })
  test('with the former final answers if they are out of date, at a question that contradicts them', () => {
    const gold = goldOf({ agreed: 'b', disputed: 'a' }, { stale: true })
    const decisions = initialDecisions(all, gold)
    expect(decisions).toEqual(decided({ agreed: 'b', disputed: 'a' }))
    expect(firstQuestion(all, decisions, gold)).toBe('agreed')
    expect(isSettled(agreed, gold)).toBe(false)
  })
  test('with the suggestion still open', () => {
    expect(initialDecisions([reviewed('q', [group('b', 0, true)])], null)).toEqual({})
  })
})

describe('a question is open', () => {
  const disputed = [group('a', 1), group('b', 1)]
  const ranking = { type: 'ranking', options: ['a', 'b'].map((value) => ({ value, text: value, description: null })) }
  const half = [
    { value: 'a', rank: 1 },
    { value: 'b', rank: null },
  ]
  test.each<[string, ReviewedQuestion, Decisions, boolean]>([
    ['if it is required', reviewed('q', []), {}, true],
    ['if it is disputed', reviewed('q', disputed, false), {}, true],
    ['if only its reason is chosen', reviewed('q', disputed, false), { q: { ...noDecision, reason: 'slip' } }, true],
    ['unless it is decided', reviewed('q', disputed), decided({ q: 'a' }), false],
    ['unless it is optional and gets no final answer', reviewed('q', disputed, false), decided({ q: null }), false],
    ['if it is required and gets no final answer', reviewed('q', disputed), decided({ q: null }), true],
    ['unless nobody answered an optional question', reviewed('q', [], false), {}, false],
    ['if its answer is incomplete', reviewed('q', [], false, ranking), decided({ q: half }), true],
  ])('%s', (_, one, decisions, expected) => {
    expect(isOpen(one, decisions)).toBe(expected)
  })
  test('the next one comes after the current one, then from the start', () => {
    const all = ['x', 'y', 'z'].map((name) => reviewed(name, disputed))
    expect(nextOpen(all, decided({ y: 'a' }), 'y')?.name).toBe('z')
    expect(nextOpen(all, decided({ z: 'a' }), 'z')?.name).toBe('x')
  })
})

test('sent values have a source, a reason and a trimmed note', () => {
  const all = [reviewed('q', [group('a', 1), group('b', 1)]), reviewed('agreed', [group('c', 2)]), reviewed('none', [], false)]
  const decisions: Decisions = {
    ...initialDecisions(all, null),
    q: { value: 'b', by: 'choice', reason: 'ambiguous', note: ' see page 3 ' },
    none: { ...noDecision, value: null },
  }
  expect(valuesToSend(all, decisions, null)).toEqual({
    q: { value: 'b', source: 'adjudicated', reason: 'ambiguous', note: 'see page 3' },
    agreed: { value: 'c', source: 'unanimous', reason: null, note: null },
  })
})

test('an unchanged final answer keeps its source, unless it is out of date', () => {
  const all = [reviewed('q', [group('a', 2), group('b', 1)])]
  const source = (gold: Gold, value: AnswerValue) => valuesToSend(all, decided({ q: value }), gold)['q']?.source
  expect(source(goldOf({ q: 'a' }), 'a')).toBe('imported')
  expect(source(goldOf({ q: 'a' }, { stale: true }), 'a')).toBe('majority')
  expect(source(goldOf({ q: 'a' }), 'b')).toBe('adjudicated')
})

test('values are stored if the current final answers equal them', () => {
  const values = valuesToSend([reviewed('q', [group(['a', 'b'], 2)])], decided({ q: ['a', 'b'] }), null)
  expect(areStored(values, goldOf({ q: ['b', 'a'] }))).toBe(true)
  expect(areStored(values, goldOf({ q: ['a'] }))).toBe(false)
  expect(areStored(values, goldOf({ q: ['a', 'b'], r: 'a' }))).toBe(false)
  expect(areStored(values, null)).toBe(false)
})
