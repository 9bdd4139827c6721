import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { digitWait } from '#lib/constants.ts'
import { createDigits } from './digits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const typing = (numbers: readonly number[]) => {
  const heard: number[] = []
  const digits = createDigits((number) => heard.push(number))
  return { heard, digits, press: (...keys: readonly string[]) => keys.map((key) => digits.press(key, numbers)) }
}

describe('digits', () => {
  test('count at once when nothing longer can be meant', () => {
    const { heard, press } = typing(upTo(9))
    press('3')
    expect(heard).toEqual([3])
  })

  test('wait only when ambiguous', () => {
    const { heard, press } = typing(upTo(24))
    press('5')
    expect(heard).toEqual([5])
    press('2')
    expect(heard).toEqual([5])
    vi.advanceTimersByTime(digitWait)
    expect(heard).toEqual([5, 2])
    press('2', '1')
    expect(heard).toEqual([5, 2, 21])
  })

  test('wait through all digits of three', () => {
    const { heard, press } = typing(upTo(120))
    press('1', '1')
    expect(heard).toEqual([])
    press('7')
    expect(heard).toEqual([117])
  })

  test('do not wait when another key follows', () => {
    const { heard, press } = typing([0, 1, 10])
    expect(press('1', 'Enter')).toEqual([true, false])
    expect(heard).toEqual([1])
    vi.advanceTimersByTime(digitWait)
    expect(heard).toEqual([1])
  })

  test('that lead nowhere begin anew', () => {
    const { heard, press } = typing(upTo(12))
    press('1', '5')
    expect(heard).toEqual([5])
    expect(press('0')).toEqual([false])
  })

  test('stop with the editor', () => {
    const { heard, digits, press } = typing(upTo(24))
    press('1')
    digits.cancel()
    vi.advanceTimersByTime(digitWait)
    expect(heard).toEqual([])
  })
})
