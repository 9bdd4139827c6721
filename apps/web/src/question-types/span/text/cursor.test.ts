import { describe, expect, test } from 'vitest'
import type { Cursor } from './cursor.ts'
import { lineAbove, lineBelow, moveCursor } from './cursor.ts'

const text = 'Ada 👩‍👩‍👧 met\nBen'
const lines = { above: () => 1, below: () => 15, start: () => 0, end: () => 15 }
const press = (cursor: Cursor, key: string, { shift = false, far = false, rtl = false } = {}) =>
  moveCursor(text, cursor, { key, shift, far }, lines, rtl)
const at = (unit: number): Cursor => ({ anchor: unit, focus: unit })

describe('the text cursor', () => {
  test('moves by character, by word and to the ends', () => {
    expect(press(at(0), 'ArrowRight')).toEqual(at(1))
    expect(press(at(4), 'ArrowRight')).toEqual(at(12))
    expect(press(at(12), 'ArrowLeft')).toEqual(at(4))
    expect(press(at(0), 'ArrowRight', { far: true })).toEqual(at(3))
    expect(press(at(16), 'ArrowLeft', { far: true })).toEqual(at(13))
    expect(press(at(5), 'End', { far: true })).toEqual(at(text.length))
    expect(press(at(5), 'Home', { far: true })).toEqual(at(0))
  })

  test('moves by lines as displayed', () => {
    expect(press(at(5), 'ArrowUp')).toEqual(at(1))
    expect(press(at(5), 'ArrowDown')).toEqual(at(15))
    expect(press(at(5), 'Home')).toEqual(at(0))
  })

  test('extends with Shift and collapses a selection to its ends', () => {
    const selected = press(at(0), 'ArrowRight', { shift: true, far: true })
    expect(selected).toEqual({ anchor: 0, focus: 3 })
    expect(press(selected!, 'ArrowRight')).toEqual(at(3))
    expect(press(selected!, 'ArrowLeft')).toEqual(at(0))
    expect(press(selected!, 'ArrowRight', { shift: true })).toEqual({ anchor: 0, focus: 4 })
  })

  test('moves in the opposite direction in right-to-left text', () => {
    expect(press(at(0), 'ArrowLeft', { rtl: true })).toEqual(at(1))
    expect(press(at(1), 'ArrowRight', { rtl: true })).toEqual(at(0))
  })

  test('ignores other keys', () => {
    for (const key of ['a', 'Enter', 'Tab', 'Escape', '1']) expect(press(at(0), key)).toBeNull()
  })
})

describe('moving a line up or down', () => {
  // Lines at 0–6, 7–9, 10–14.
  const three = 'longer\nab\nlast'
  const never = () => false
  const always = () => true

  test('ends at the end of a shorter line, not in the line after it', () => {
    expect(lineBelow(three, 5, 10)).toBe(9)
    expect(lineBelow(three, 5, 8)).toBe(8)
    expect(lineAbove(three, 13, 10, always)).toBe(9)
    expect(lineAbove(three, 13, 8, never)).toBe(8)
  })
  test('skips areas without text', () => {
    // The looked-up position (the third argument) is in the cursor's own line, or one line too far.
    expect(lineBelow(three, 3, 3)).toBe(7)
    expect(lineBelow(three, 3, 14)).toBe(7)
    expect(lineAbove(three, 8, 7, always)).toBe(6)
    expect(lineAbove(three, 12, 2, never)).toBe(9)
  })
  test('follows the rows of a wrapped line, and ends with the text', () => {
    expect(lineAbove(three, 12, 10, never)).toBe(10)
    expect(lineBelow(three, 1, 4)).toBe(4)
    expect(lineBelow(three, 12, 12)).toBe(14)
    expect(lineAbove(three, 3, 3, always)).toBe(0)
    expect(lineBelow('', 0, 0)).toBe(0)
  })
})
