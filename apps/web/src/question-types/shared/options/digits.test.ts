import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { digitTimeout } from '#lib/constants.ts'
import { createDigits } from './digits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const typing = (numbers: readonly number[]) => {
  const numbersEntered: number[] = []
  const digits = createDigits((number) => numbersEntered.push(number))
  return { numbersEntered, digits, press: (...keys: readonly string[]) => keys.map((key) => digits.press(key, numbers)) }
}

describe('digit keys', () => {
  test('take effect immediately if no longer number is possible', () => {
    const { numbersEntered, press } = typing(upTo(9))
    press('3')
    expect(numbersEntered).toEqual([3])
  })

  test('wait only if they are ambiguous', () => {
    const { numbersEntered, press } = typing(upTo(24))
    press('5')
    expect(numbersEntered).toEqual([5])
    press('2')
    expect(numbersEntered).toEqual([5])
    vi.advanceTimersByTime(digitTimeout)
    expect(numbersEntered).toEqual([5, 2])
    press('2', '1')
    expect(numbersEntered).toEqual([5, 2, 21])
  })

  test('wait through all digits of a three-digit number', () => {
    const { numbersEntered, press } = typing(upTo(120))
    press('1', '1')
    expect(numbersEntered).toEqual([])
    press('7')
    expect(numbersEntered).toEqual([117])
  })

  test('take effect when another key follows', () => {
    const { numbersEntered, press } = typing([0, 1, 10])
    expect(press('1', 'Enter')).toEqual([true, false])
    expect(numbersEntered).toEqual([1])
    vi.advanceTimersByTime(digitTimeout)
    expect(numbersEntered).toEqual([1])
  })

  test('start over if they match no number', () => {
    const { numbersEntered, press } = typing(upTo(12))
    press('1', '5')
    expect(numbersEntered).toEqual([5])
    expect(press('0')).toEqual([false])
  })

  test('are canceled with the editor', () => {
    const { numbersEntered, digits, press } = typing(upTo(24))
    press('1')
    digits.cancel()
    vi.advanceTimersByTime(digitTimeout)
    expect(numbersEntered).toEqual([])
  })
})
