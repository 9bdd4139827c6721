import { expect, it } from 'vitest'
import { startOfDay } from './audit-api.ts'
import { mark, partsOf, sentenceKey } from './audit-sentences.ts'

it('splits a sentence at its placeholders, in any order', () => {
  expect(partsOf(`Fehler bei ${mark('actor')} und ${mark('target')}`)).toEqual([
    { text: 'Fehler bei ' },
    { name: 'actor' },
    { text: ' und ' },
    { name: 'target' },
  ])
  expect(partsOf(mark('actor'))).toEqual([{ name: 'actor' }])
})

it('falls back to the name of an unknown action', () => {
  expect([sentenceKey('users.create'), sentenceKey('instance.migrate-from'), sentenceKey('things.do')]).toEqual([
    'users-create',
    'instance-migrate-from',
    'other',
  ])
})

it('reads days in the time zone of the user', () => {
  const start = startOfDay('2026-03-14')
  expect(new Date(`${start}Z`).getTime()).toBe(new Date(2026, 2, 14).getTime())
  expect(new Date(`${startOfDay('2026-03-31', 1)}Z`).getTime()).toBe(new Date(2026, 3, 1).getTime())
  expect(startOfDay('')).toBeNull()
})
