import { expect, test } from 'vitest'
import { loadWithRetries } from './load-with-retries.ts'

test('a part that fails to load is requested again at the next chance, and each failure is reported', async () => {
  let attempts = 0
  const failures: number[] = []
  const waits: number[] = []
  const load = async (): Promise<string> => {
    attempts += 1
    if (attempts < 3) throw new TypeError('Failed to fetch dynamically imported module')
    return 'part'
  }
  const waitForRetry = async (): Promise<void> => void waits.push(attempts)
  expect(await loadWithRetries(load, () => failures.push(attempts), waitForRetry)).toBe('part')
  expect([attempts, failures, waits]).toEqual([3, [1, 2], [1, 2]])
})
