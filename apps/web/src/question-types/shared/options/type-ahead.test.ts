import { expect, test } from 'vitest'
import { createTypeAhead, isLetter, typeAheadPause } from './type-ahead.ts'

const names = ['Admin', 'Éditeur', 'education', 'Games', 'gnome']

test('finds by first letters regardless of case and accents, and starts over after a pause', () => {
  let time = 0
  const { press } = createTypeAhead(() => time)
  expect(press('e', names, 0)).toBe(1)
  expect(press('d', names, 1)).toBe(2)
  expect(press('i', names, 2)).toBe(1)
  time += typeAheadPause
  expect(press('g', names, 2)).toBe(3)
})

test('repeating a letter cycles through the matches', () => {
  const { press } = createTypeAhead(() => 0)
  expect(press('g', names, 0)).toBe(3)
  expect(press('g', names, 3)).toBe(4)
  expect(press('g', names, 4)).toBe(3)
})

test.each(['Résumé', 'Resume', 'resume', 'US', 'us', 'C', 'c', 'Ü', 'U'])('%s typed in full finds exactly this name', (typed) => {
  const variants = ['Resume', 'Résumé', 'resume', 'USA', 'US', 'us', 'Cat', 'C', 'c', 'Über', 'Ü', 'U']
  const { press } = createTypeAhead(() => 0)
  const found = [...typed].reduce<number>((current, letter) => press(letter, variants, current) ?? current, -1)
  expect(variants[found]).toBe(typed)
})

test('letters that no name starts with have no match', () => {
  expect(createTypeAhead(() => 0).press('x', names, 0)).toBeNull()
})

test('letters typed without a current entry search from the first one', () => {
  const { press } = createTypeAhead(() => 0)
  expect(press('e', names.slice(3), -1)).toBeNull()
  expect(press('d', names.slice(3), -1)).toBeNull()
  expect(press('u', names, -1)).toBe(2)
})

test('shortcuts and digits do not count as letters', () => {
  const plain = { ctrl: false, alt: false }
  expect(['a', 'é', 'ש', '-'].map((key) => isLetter({ key, ...plain }))).toEqual([true, true, true, true])
  expect(['1', ' ', 'Enter', '?', 'Tab'].map((key) => isLetter({ key, ...plain }))).toEqual([false, false, false, false, false])
  expect(isLetter({ key: 's', ctrl: true, alt: false })).toBe(false)
})
