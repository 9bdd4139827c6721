import { expect, test } from 'vitest'
import { pickMany, pickOne } from './pick.ts'

test('single choice: accept, deselect, choose another', () => {
  const suggested = { value: 'a', suggested: 'a' }
  expect(pickOne(suggested, 'a')).toEqual({ value: 'a', suggested: null })
  expect(pickOne({ value: 'a', suggested: null }, 'a')).toEqual({ value: null, suggested: null })
  expect(pickOne(suggested, 'b')).toEqual({ value: 'b', suggested: null })
  expect(pickOne({ value: null, suggested: null }, 0)).toEqual({ value: 0, suggested: null })
})

test('multiple choice: accepting one leaves the others suggested', () => {
  const start = { value: ['a', 'b'], suggested: ['a', 'b'] }
  const accepted = pickMany(start, 'a')
  expect(accepted).toEqual({ value: ['a', 'b'], suggested: ['b'] })
  expect(pickMany(accepted, 'a')).toEqual({ value: ['b'], suggested: ['b'] })
  expect(pickMany(accepted, 'c')).toEqual({ value: ['a', 'b', 'c'], suggested: ['b'] })
  expect(pickMany({ value: ['a'], suggested: null }, 'a')).toEqual({ value: null, suggested: null })
})
