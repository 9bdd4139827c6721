import { countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import { expect, test } from 'vitest'
import { type Cell, clearTurn, labelsOf, pickLabel, type Step, stepFrom } from './model.ts'
import { areRolesValid, rolesFrom } from './roles-text.ts'

const [first, second] = countedTurns([
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
]) as [ReturnType<typeof countedTurns>[number], ReturnType<typeof countedTurns>[number]]
const span = (label: string, { start, end }: typeof first) => ({ label, start, end })
const empty = { value: null, suggested: null }

test('a label is set, replaced and removed', () => {
  const set = pickLabel(empty, second, 'a', true)
  expect(set).toEqual({ answer: { value: [span('a', second)], suggested: null }, isOn: true })
  const both = pickLabel(set.answer, first, 'b', true).answer
  expect(both.value).toEqual([span('b', first), span('a', second)])
  expect(pickLabel(both, second, 'b', true).answer.value).toEqual([span('b', first), span('b', second)])
  expect(pickLabel(set.answer, second, 'a', true)).toEqual({ answer: empty, isOn: false })
  expect(clearTurn(both, first).value).toEqual([span('a', second)])
})

test('several labels of a turn are added and removed one by one', () => {
  const both = pickLabel(pickLabel(empty, first, 'b', false).answer, first, 'a', false).answer
  expect(labelsOf(both.value, first)).toEqual(['b', 'a'])
  expect(labelsOf(pickLabel(both, first, 'b', false).answer.value, first)).toEqual(['a'])
})

test('a suggested label is accepted by picking it, and dropped by picking another one', () => {
  const suggested = { value: [span('a', first)], suggested: [span('a', first)] }
  expect(pickLabel(suggested, first, 'a', true)).toEqual({ answer: { value: [span('a', first)], suggested: null }, isOn: true })
  expect(pickLabel(suggested, first, 'b', true).answer).toEqual({ value: [span('b', first)], suggested: null })
  expect(pickLabel(suggested, first, 'b', false).answer).toEqual({
    value: [span('a', first), span('b', first)],
    suggested: [span('a', first)],
  })
})

test('steps follow the turns of a question and the questions of a turn', () => {
  // The second question asks about turns 1 and 3 only.
  const cells: readonly Cell[] = [
    { turn: 0, question: 0 },
    { turn: 1, question: 0 },
    { turn: 1, question: 1 },
    { turn: 3, question: 1 },
  ]
  const places = (step: Step) => cells.map((cell) => cells.indexOf(stepFrom(cells, cell, step) ?? { turn: -1, question: -1 }))
  expect(places('next')).toEqual([1, 2, 3, -1])
  expect(places('nextTurn')).toEqual([1, -1, 3, -1])
  expect(places('previousTurn')).toEqual([-1, 0, -1, 2])
  expect(places('nextQuestion')).toEqual([-1, 2, -1, -1])
  expect(places('previousQuestion')).toEqual([-1, -1, 1, -1])
})

test('roles are separated by commas, and none stands for all', () => {
  expect(rolesFrom(' assistant, tool ,,assistant')).toEqual(['assistant', 'tool'])
  expect(rolesFrom(' , ')).toBeNull()
  expect([null, ['a'], ['r'.repeat(21)]].map(areRolesValid)).toEqual([true, true, false])
})
