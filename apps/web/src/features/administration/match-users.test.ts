import { expect, test } from 'vitest'
import { matchUsers } from './match-users.ts'

const users = [
  { username: 'zoe', first_name: 'Zoë', last_name: 'Keller' },
  { username: 'ann', first_name: 'Ann', last_name: null },
]

test.each([
  ['', ['zoe', 'ann']],
  ['  ZOE  kell ', ['zoe']],
  ['n', ['ann']],
  ['zoe ann', []],
])('%j matches %j', (search, expected) => {
  expect(matchUsers(users, search).map(({ username }) => username)).toEqual(expected)
})
