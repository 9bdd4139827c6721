import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { takeBack } from './take-back.ts'

/** What answers like this, one after the other, and then well. */
const undoing = (...statuses: readonly number[]) => {
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

test('what cannot be reached is undone at the next chance, and told once', async () => {
  const { undo, tries } = undoing(0, 503)
  let told = 0
  let next = () => {}
  const chance = () =>
    new Promise<void>((come) => {
      next = come
    })
  await takeBack(undo, () => (told += 1), chance)
  expect([tries(), told]).toEqual([1, 0])
  next()
  await expect.poll(tries).toBe(2)
  await expect
    .poll(() => {
      next()
      return told
    })
    .toBe(1)
  expect(tries()).toBe(3)
})

test('what is refused, or gone already, is left at that', async () => {
  const { undo, tries } = undoing(404)
  await takeBack(undo, undefined, () => Promise.resolve())
  await new Promise((later) => setTimeout(later))
  expect(tries()).toBe(1)
})
