import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { undoWithRetry } from './undo-with-retry.ts'

/** Creates an operation that fails with these statuses, one after the other, and then succeeds. */
const createUndo = (...statuses: readonly number[]) => {
  const left = [...statuses]
  let tries = 0
  return {
    tries: () => tries,
    undo: async () => {
      tries += 1
      const status = left.shift()
      if (status !== undefined) throw new ApiError(status, undefined)
    },
  }
}

test('an undo that can’t reach the server is retried at the next chance and reported once', async () => {
  const { undo, tries } = createUndo(0, 503)
  let notified = 0
  let next = () => {}
  const waitForRetry = () =>
    new Promise<void>((come) => {
      next = come
    })
  await undoWithRetry(undo, () => (notified += 1), waitForRetry)
  expect([tries(), notified]).toEqual([1, 0])
  next()
  await expect.poll(tries).toBe(2)
  await expect
    .poll(() => {
      next()
      return notified
    })
    .toBe(1)
  expect(tries()).toBe(3)
})

test('an undo that is refused, or whose target no longer exists, isn’t retried', async () => {
  const { undo, tries } = createUndo(404)
  await undoWithRetry(undo, undefined, () => Promise.resolve())
  await new Promise((later) => setTimeout(later))
  expect(tries()).toBe(1)
})
