import { expect, test } from 'vitest'
import { capOfOption, optionOfKey } from './option-keys.ts'

const press = (digit: string, shift = false) => ({ digit, shift, ctrl: false, alt: false })

test('each digit picks an option at once, and Shift picks those after the tenth', () => {
  expect(['1', '2', '9', '0'].map((digit) => optionOfKey(press(digit), 12))).toEqual([0, 1, 8, 9])
  expect(['1', '2', '3'].map((digit) => optionOfKey(press(digit, true), 12))).toEqual([10, 11, null])
  expect([optionOfKey(press('4'), 3), optionOfKey(press('2', true), 3)]).toEqual([null, 1])
  expect(optionOfKey({ ...press('1'), ctrl: true }, 3)).toBeNull()
})

test('every option up to the twentieth shows its key', () => {
  expect([0, 8, 9, 10, 19, 20].map(capOfOption)).toEqual(['1', '9', '0', '⇧1', '⇧0', null])
})
