import { expect, test } from 'vitest'
import { isEnough } from './first-records.ts'

test.each([
  [{ polls: 0, total: 0 }, false],
  [{ polls: 1, total: 9 }, false],
  [{ polls: 1, total: 10 }, true],
  [{ polls: 9, total: 9 }, false],
  [{ polls: 10, total: 0 }, true],
])('after %o nobody waits any more: %s', (asked, expected) => {
  expect(isEnough(asked)).toBe(expected)
})
