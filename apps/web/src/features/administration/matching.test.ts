import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const users = [
  { username: 'zoe', first_name: 'Zoë', last_name: 'Keller' },
  { username: 'ann', first_name: 'Ann', last_name: null },
]

test.each([
  ['', ['zoe', 'ann']],
  ['  ZOE  kell ', ['zoe']],
  ['n', ['ann']],
  ['zoe ann', []],
])('%j finds %j', (search, expected) => {
  expect(matching(users, search).map(({ username }) => username)).toEqual(expected)
})
