import { expect, test } from 'vitest'
import { bubblesOf, firstDrawn, messagesOf } from './messages.ts'

const said = (role: string) => ({ role, content: '…' })

test('a plain value is one message of the user', () => {
  expect(messagesOf('hi')).toEqual([{ role: 'user', content: 'hi' }])
})

test('two speak from two sides, names are told when they change', () => {
  const bubbles = bubblesOf([said('user'), said('user'), said('assistant')])
  expect(bubbles.map(({ side, showsRole, colour }) => [side, showsRole, colour])).toEqual([
    ['end', true, null],
    ['end', false, null],
    ['start', true, null],
  ])
})

test('more than two speak from one side, told apart by colour', () => {
  const bubbles = bubblesOf(['a', 'b', 'c', 'a'].map(said))
  expect(bubbles.map(({ side, colour }) => [side, colour])).toEqual([
    ['start', 0],
    ['start', 1],
    ['start', 2],
    ['start', 0],
  ])
})

test('of long messages fewer are drawn at once, and one always', () => {
  const each = (length: number) => Array.from({ length: 100 }, () => ({ content: 'x'.repeat(length) }))
  expect([10, 1000, 4000, 19_000, 30_000].map((length) => firstDrawn(each(length)))).toEqual([20, 20, 5, 1, 1])
})
