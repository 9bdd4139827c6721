import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stepAt, stepsOf, valueAt } from './bounds.ts'

const scale = fc
  .record({ min: fc.double({ min: -1e9, max: 1e9, noNaN: true }), span: fc.double({ min: 1e-3, max: 1e9, noNaN: true }) })
  .map(({ min, span }) => ({ min, max: min + span, whole: false }))

describe('the scale of a slider', () => {
  test('has every whole number if there are few', () => {
    const stars = { min: 1, max: 5, whole: true }
    expect(stepsOf(stars)).toBe(4)
    expect([0, 1, 2, 3, 4].map((step) => valueAt(step, stars))).toEqual([1, 2, 3, 4, 5])
    expect([1, 2, 3, 4, 5].map((value) => stepAt(value, stars))).toEqual([0, 1, 2, 3, 4])
  })

  test('has round numbers between exact ends', () => {
    expect(valueAt(0, { min: 3, max: 98_765, whole: true })).toBe(3)
    expect(valueAt(200, { min: 3, max: 98_765, whole: true })).toBe(98_765)
    expect(valueAt(71, { min: 3, max: 98_765, whole: true })).toBe(35_100)
    expect(valueAt(50, { min: 0, max: 1, whole: false })).toBe(0.25)
    expect(valueAt(37, { min: 0.123, max: 0.987, whole: false })).toBe(0.283)
  })

  test('stays within its ends, never goes backwards and maps a value back to nearly the same step', () => {
    fc.assert(
      fc.property(scale, fc.integer({ min: 0, max: 199 }), (one, step) => {
        const [value, next] = [valueAt(step, one), valueAt(step + 1, one)]
        expect(value).toBeGreaterThanOrEqual(one.min)
        expect(next).toBeLessThanOrEqual(one.max)
        expect(next).toBeGreaterThanOrEqual(value)
        expect(Math.abs(stepAt(value, one) - step)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('maps values beyond an end to that end', () => {
    const one = { min: 10, max: 20, whole: true }
    expect([stepAt(-5, one), stepAt(99, one)]).toEqual([0, 10])
  })
})
