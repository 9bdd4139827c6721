import { expect, test } from 'vitest'
import { signInToken } from './sign-in-link.ts'

test.each([
  ['#link=abc_-1', undefined, 'abc_-1'],
  ['link=abc', 'other', 'abc'],
  ['', 'abc', 'abc'],
  ['#main', undefined, null],
  ['#link=', undefined, null],
  ['', '', null],
])('fragment %j and query %j give the token %j', (hash, inQuery, expected) => {
  expect(signInToken(hash, inQuery)).toBe(expected)
})
