import { describe, expect, test } from 'vitest'
import type { Cursor } from './cursor.ts'
import { moveCursor } from './cursor.ts'

const text = 'Ada 👩‍👩‍👧 met\nBen'
const lines = { above: () => 1, below: () => 15, start: () => 0, end: () => 15 }
const press = (cursor: Cursor, key: string, { shift = false, far = false, rtl = false } = {}) =>
  moveCursor(text, cursor, { key, shift, far }, lines, rtl)
const at = (unit: number): Cursor => ({ anchor: unit, focus: unit })

describe('the text cursor', () => {
  test('goes by character, by word and to the ends', () => {
    expect(press(at(0), 'ArrowRight')).toEqual(at(1))
    expect(press(at(4), 'ArrowRight')).toEqual(at(12))
    expect(press(at(12), 'ArrowLeft')).toEqual(at(4))
    expect(press(at(0), 'ArrowRight', { far: true })).toEqual(at(3))
    expect(press(at(16), 'ArrowLeft', { far: true })).toEqual(at(13))
    expect(press(at(5), 'End', { far: true })).toEqual(at(text.length))
    expect(press(at(5), 'Home', { far: true })).toEqual(at(0))
  })

  test('goes by line as the screen has them', () => {
    expect(press(at(5), 'ArrowUp')).toEqual(at(1))
    expect(press(at(5), 'ArrowDown')).toEqual(at(15))
    expect(press(at(5), 'Home')).toEqual(at(0))
  })

  test('extends with Shift and leaves a selection at its ends', () => {
    const selected = press(at(0), 'ArrowRight', { shift: true, far: true })
    expect(selected).toEqual({ anchor: 0, focus: 3 })
    expect(press(selected!, 'ArrowRight')).toEqual(at(3))
    expect(press(selected!, 'ArrowLeft')).toEqual(at(0))
    expect(press(selected!, 'ArrowRight', { shift: true })).toEqual({ anchor: 0, focus: 4 })
  })

  test('goes the other way in right-to-left text', () => {
    expect(press(at(0), 'ArrowLeft', { rtl: true })).toEqual(at(1))
    expect(press(at(1), 'ArrowRight', { rtl: true })).toEqual(at(0))
  })

  test('leaves other keys alone', () => {
    for (const key of ['a', 'Enter', 'Tab', 'Escape', '1']) expect(press(at(0), key)).toBeNull()
  })
})
