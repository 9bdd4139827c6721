import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leastUuidFrom } from './uuid-bounds.ts'

const uuid = fc.uuid()
const near = fc.oneof(
  uuid,
  fc
    .tuple(uuid, fc.nat(36), fc.constantFrom('', '-', 'g', 'A', '0', 'f', 'z', ' ', '/', ':'))
    .map(([id, at, char]) => id.slice(0, at) + char),
  fc
    .tuple(uuid, fc.nat(35), fc.constantFrom('-', 'g', 'A', '0', 'f', ' '))
    .map(([id, at, char]) => id.slice(0, at) + char + id.slice(at + 1)),
  uuid.map((id) => `${id}x`),
  fc.string(),
)

it('the lowest UUID at or above a text isn’t below it, and no UUID lies between', () => {
  fc.assert(
    fc.property(near, uuid, (text, other) => {
      const least = leastUuidFrom(text)
      if (least !== null) {
        expect(least >= text).toBe(true)
        expect(least).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      }
      expect(other >= text).toBe(least !== null && other >= least)
    }),
    { numRuns: 20_000 },
  )
})

it('handles the lowest and the highest UUID', () => {
  expect(leastUuidFrom('')).toBe('00000000-0000-0000-0000-000000000000')
  expect(leastUuidFrom('g')).toBeNull()
  expect(leastUuidFrom('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
  expect(leastUuidFrom('ffffffff-ffff-ffff-ffff-ffffffffffff0')).toBeNull()
  expect(leastUuidFrom('0000000f-')).toBe('0000000f-0000-0000-0000-000000000000')
  expect(leastUuidFrom('0000000fa')).toBe('00000010-0000-0000-0000-000000000000')
})
