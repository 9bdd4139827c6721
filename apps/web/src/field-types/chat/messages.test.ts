import { expect, test } from 'vitest'
import { bubblesOf, initialMessageCount, messagesOf } from './messages.ts'

const createMessage = (role: string) => ({ role, content: '…' })

test('a plain value is one user message', () => {
  expect(messagesOf('hi')).toEqual([{ role: 'user', content: 'hi' }])
})

test('two participants get opposite sides, and a name is shown when the speaker changes', () => {
  const bubbles = bubblesOf([createMessage('user'), createMessage('user'), createMessage('assistant')])
  expect(bubbles.map(({ side, showsRole, colour }) => [side, showsRole, colour])).toEqual([
    ['end', true, null],
    ['end', false, null],
    ['start', true, null],
  ])
})

test('more than two participants share one side and differ by color', () => {
  const bubbles = bubblesOf(['a', 'b', 'c', 'a'].map(createMessage))
  expect(bubbles.map(({ side, colour }) => [side, colour])).toEqual([
    ['start', 0],
    ['start', 1],
    ['start', 2],
    ['start', 0],
  ])
})

test('fewer messages are drawn at first if they are long, but at least one', () => {
  const each = (length: number) => Array.from({ length: 100 }, () => ({ content: 'x'.repeat(length) }))
  expect([10, 1000, 4000, 19_000, 30_000].map((length) => initialMessageCount(each(length)))).toEqual([20, 20, 5, 1, 1])
})
