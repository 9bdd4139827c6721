import { expect, test } from 'vitest'
import { isDonePolling } from './use-wait-for-import.ts'

test.each([
  [{ polls: 0, total: 0 }, false],
  [{ polls: 1, total: 9 }, false],
  [{ polls: 1, total: 10 }, true],
  [{ polls: 9, total: 9 }, false],
  [{ polls: 10, total: 0 }, true],
])('after %o the poll stops: %s', (asked, expected) => {
  expect(isDonePolling(asked)).toBe(expected)
})
