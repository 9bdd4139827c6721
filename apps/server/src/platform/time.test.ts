import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { now, printTime, printTimeZ } from './time.ts'

describe('time', () => {
  it('strictly increases', () => {
    const times = Array.from({ length: 10_000 }, () => now())
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true)
  })

  it('runs at half speed after the clock is set back, until the clock catches up', () => {
    const clock = Date.now
    const steady = vi.spyOn(performance, 'now')
    const set = (ms: number, steadyMs: number) => {
      Date.now = () => ms
      steady.mockReturnValue(steadyMs)
      return now() / 1000
    }
    const at = Math.ceil(now() / 1000) + 1000
    try {
      expect(set(at, 0)).toBe(at)
      expect(set(at - 10_000, 1)).toBe(at + 0.5)
      expect(set(at, 10_001)).toBe(at + 5000.5)
      expect(set(at + 10_000, 20_001)).toBe(at + 10_000.5)
      expect(set(at + 11_000, 21_001)).toBe(at + 11_000)
    } finally {
      Date.now = clock
      steady.mockRestore()
    }
  })

  it('is printed in UTC without a zone, with six decimals or none', () => {
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000 + 286_869)).toBe('2026-11-21T03:46:57.286869')
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000 + 69)).toBe('2026-11-21T03:46:57.000069')
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000)).toBe('2026-11-21T03:46:57')
  })

  it('is printed so that it parses back to the same microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (micros) => {
        const text = printTimeZ(micros)
        const fraction = Number((text.split('.')[1] ?? '0').replace('Z', '').padEnd(6, '0'))
        expect(Date.parse(`${text.slice(0, 19)}Z`) * 1000 + fraction).toBe(micros)
      }),
    )
  })
})
