import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { datasetNoOf, newDatasetId, newId } from './ids.ts'

describe('IDs', () => {
  it('are UUIDs of version 7 that contain their dataset number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (no) => {
        const id = newDatasetId(no)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(datasetNoOf(id)).toBe(no)
      }),
    )
  })

  it('never repeat and always increase, even within one millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => newId())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.map((id) => id.slice(0, 18))).toEqual(ids.map((id) => id.slice(0, 18)).sort())
  })

  it('yield some number for a foreign UUID', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(Number.isInteger(datasetNoOf(id))).toBe(true)
        expect(datasetNoOf(id)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
