import { expect, test } from 'vitest'
import { loadAtLast } from './load-at-last.ts'

test('a part that does not come is asked for again at the next chance, and each failure is told', async () => {
  let attempts = 0
  const failures: number[] = []
  const chances: number[] = []
  const load = async (): Promise<string> => {
    attempts += 1
    if (attempts < 3) throw new TypeError('Failed to fetch dynamically imported module')
    return 'part'
  }
  const chance = async (): Promise<void> => void chances.push(attempts)
  expect(await loadAtLast(load, () => failures.push(attempts), chance)).toBe('part')
  expect([attempts, failures, chances]).toEqual([3, [1, 2], [1, 2]])
})
