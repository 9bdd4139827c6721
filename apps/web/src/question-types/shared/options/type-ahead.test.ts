import { expect, test } from 'vitest'
import { createTypeAhead, isLetter, typeAheadPause } from './type-ahead.ts'

const names = ['Admin', 'Éditeur', 'education', 'Games', 'gnome']

test('finds by first letters, whatever case and accent, and starts anew after a pause', () => {
  let time = 0
  const { press } = createTypeAhead(() => time)
  expect(press('e', names, 0)).toBe(1)
  expect(press('d', names, 1)).toBe(1)
  expect(press('u', names, 1)).toBe(2)
  time += typeAheadPause
  expect(press('g', names, 2)).toBe(3)
})

test('the same letter again goes round', () => {
  const { press } = createTypeAhead(() => 0)
  expect(press('g', names, 0)).toBe(3)
  expect(press('g', names, 3)).toBe(4)
  expect(press('g', names, 4)).toBe(3)
})

test('what no name begins with leads nowhere', () => {
  expect(createTypeAhead(() => 0).press('x', names, 0)).toBeNull()
})

test('letters that go on without a current entry search from the first', () => {
  const { press } = createTypeAhead(() => 0)
  expect(press('e', names.slice(3), -1)).toBeNull()
  expect(press('d', names.slice(3), -1)).toBeNull()
  expect(press('u', names, -1)).toBe(2)
})

test('shortcuts and digits are no letters', () => {
  const plain = { ctrl: false, alt: false }
  expect(['a', 'é', 'ש', '-'].map((key) => isLetter({ key, ...plain }))).toEqual([true, true, true, true])
  expect(['1', ' ', 'Enter', '?', 'Tab'].map((key) => isLetter({ key, ...plain }))).toEqual([false, false, false, false, false])
  expect(isLetter({ key: 's', ctrl: true, alt: false })).toBe(false)
})
