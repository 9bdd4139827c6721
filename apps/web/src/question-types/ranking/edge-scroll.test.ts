import { expect, test } from 'vitest'
import { speedAt } from './edge-scroll.ts'

test('a pointer in the middle does not scroll, and one near an edge scrolls faster the closer it is', () => {
  expect(speedAt(300, 100, 500)).toBe(0)
  expect(speedAt(140, 100, 500)).toBeLessThan(0)
  expect(speedAt(110, 100, 500)).toBeLessThan(speedAt(140, 100, 500))
  expect(speedAt(490, 100, 500)).toBeGreaterThan(speedAt(460, 100, 500))
})

test('a pointer beyond the edge scrolls no faster than at the edge', () => {
  expect(speedAt(-400, 100, 500)).toBe(speedAt(100, 100, 500))
  expect(speedAt(900, 100, 500)).toBe(speedAt(500, 100, 500))
})

test('a very low area still has a middle that does not scroll', () => {
  expect(speedAt(30, 0, 60)).toBe(0)
  expect(speedAt(30, 30, 30)).toBe(0)
})
