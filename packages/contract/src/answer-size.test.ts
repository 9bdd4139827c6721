import { expect, it } from 'vitest'
import { answerSizeFault } from './answer-size.ts'

const answer = (text: string) => ({ note: { value: text } })
const empty = JSON.stringify(answer('')).length

it('an answer has at most as many bytes as the limit', () => {
  expect(answerSizeFault(answer('x'.repeat(100 - empty)), 100)).toBeNull()
  expect(answerSizeFault(answer('x'.repeat(101 - empty)), 100)).toEqual({
    code: 'answerTooLarge',
    params: { size: '101', limit: '100' },
  })
})

it('bytes count, not characters', () => {
  expect(answerSizeFault(answer('ä'.repeat(100 - empty)), 100)?.params.size).toBe(String(empty + 2 * (100 - empty)))
  expect(answerSizeFault('€€', 8)).toBeNull()
  expect(answerSizeFault('€€', 7)?.params.size).toBe('8')
})

it('a missing answer is not too large', () => {
  expect([answerSizeFault(null, 1), answerSizeFault(undefined, 1)]).toEqual([null, null])
})
