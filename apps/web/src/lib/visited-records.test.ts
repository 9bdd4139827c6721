import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropVisitedOfOthers, storeVisited, visitedAt } from './visited-records.ts'

const nothing = { earlier: { before: 0, ids: [] }, current: null }

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a position has the records before it, and its own', () => {
  storeVisited('ada', 'd', { before: 2, ids: ['c', 'd', 'e'] })
  expect(visitedAt('ada', 'd', 4)).toEqual({ earlier: { before: 2, ids: ['c'] }, current: 'd' })
  expect(visitedAt('ada', 'd', 6)).toEqual({ earlier: { before: 2, ids: ['c', 'd', 'e'] }, current: null })
  for (const unknown of [2, 7]) expect(visitedAt('ada', 'd', unknown)).toEqual(nothing)
})

test('each dataset has its own records, and only the latest are kept', () => {
  storeVisited('ada', 'd', { before: 0, ids: Array.from({ length: 1001 }, (_, at) => `r${at}`) })
  storeVisited('ada', 'other', { before: 0, ids: ['x'] })
  expect(visitedAt('ada', 'd', 2)).toEqual({ earlier: { before: 1, ids: [] }, current: 'r1' })
  expect(visitedAt('ada', 'other', 1).current).toBe('x')
  for (let i = 0; i < 4; i += 1) storeVisited('ada', `more ${i}`, { before: 0, ids: ['y'] })
  expect(visitedAt('ada', 'd', 2)).toEqual(nothing)
  expect(visitedAt('ada', 'other', 1).current).toBe('x')
})

test('nobody else sees them, and they are gone after a sign-out or when someone else signs in', () => {
  storeVisited('ada', 'd', { before: 0, ids: ['a'] })
  expect(visitedAt('ben', 'd', 1)).toEqual(nothing)
  dropVisitedOfOthers('ada')
  expect(visitedAt('ada', 'd', 1).current).toBe('a')
  for (const next of ['ben', null]) {
    storeVisited('ada', 'd', { before: 0, ids: ['a'] })
    dropVisitedOfOthers(next)
    expect(visitedAt('ada', 'd', 1)).toEqual(nothing)
  }
  storeVisited('ada', 'd', { before: 0, ids: ['a'] })
  storeVisited('ben', 'd2', { before: 0, ids: ['b'] })
  expect(visitedAt('ada', 'd', 1)).toEqual(nothing)
})
