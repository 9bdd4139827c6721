import { expect, test } from 'vitest'
import { slopeOf } from './meter.ts'

test('fits the slope of a line through points', () => {
  const line = [0, 1, 2, 3, 4].map((x): [number, number] => [x, 10 - 2 * x])
  expect(slopeOf(line)).toBeCloseTo(-2)
  // Deviations that cancel each other out don't change the slope.
  expect(slopeOf([...line, [1, 9], [1, 7], [3, 3], [3, 5]])).toBeCloseTo(-2)
  expect(slopeOf([[1, 5]])).toBe(0)
})
