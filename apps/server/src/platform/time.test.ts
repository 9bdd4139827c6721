import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { now, printTime, printTimeZ } from './time.ts'

describe('time', () => {
  it('rises strictly', () => {
    const times = Array.from({ length: 10_000 }, () => now())
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true)
  })

  it('prints UTC without a zone, with six decimals or none', () => {
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000 + 286_869)).toBe('2026-11-21T03:46:57.286869')
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000 + 69)).toBe('2026-11-21T03:46:57.000069')
    expect(printTime(Date.UTC(2026, 10, 21, 3, 46, 57) * 1000)).toBe('2026-11-21T03:46:57')
  })

  it('prints what reads back to the same microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (micros) => {
        const text = printTimeZ(micros)
        const fraction = Number((text.split('.')[1] ?? '0').replace('Z', '').padEnd(6, '0'))
        expect(Date.parse(`${text.slice(0, 19)}Z`) * 1000 + fraction).toBe(micros)
      }),
    )
  })
})
