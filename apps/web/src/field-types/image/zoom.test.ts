import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitScale, maxScaleFor, nextScale, rotate, rotatedSize } from './zoom.ts'

test('an image that is too large is scaled to fit, and a small one keeps its size', () => {
  const box = { width: 600, height: 500 }
  expect(fitScale({ width: 1200, height: 500 }, box)).toBe(0.5)
  expect(fitScale({ width: 100, height: 2000 }, box)).toBe(0.25)
  expect(fitScale({ width: 20, height: 20 }, box)).toBe(1)
  expect(fitScale({ width: 0, height: 0 }, box)).toBe(1)
})

test('a quarter turn swaps the sides, and four quarter turns change nothing', () => {
  expect(rotatedSize({ width: 3, height: 2 }, 1)).toEqual({ width: 2, height: 3 })
  expect(rotatedSize({ width: 3, height: 2 }, 2)).toEqual({ width: 3, height: 2 })
  expect(rotate(rotate(0, -1), 1)).toBe(0)
  expect(rotate(3, 1)).toBe(0)
})

test('zoom steps pass through the natural size to the maximum and back to the fitted size', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), (fit) => {
      const seen = [fit]
      while (seen.at(-1)! < maxScaleFor(fit)) seen.push(nextScale(seen.at(-1)!, fit, 1))
      expect(seen).toContain(1)
      expect(seen.length).toBeLessThan(60)
      let scale = seen.at(-1)!
      for (let i = 0; i < 60; i += 1) scale = nextScale(scale, fit, -1)
      expect(scale).toBe(fit)
    }),
  )
})
