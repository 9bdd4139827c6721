import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placePanel } from './place.ts'
import { menuTarget, typedTarget } from './roving.ts'

const view = { width: 1000, height: 800 }
const anchor = { left: 400, top: 300, right: 500, bottom: 332 }
const panel = { width: 200, height: 150 }

describe('the position of a floating panel', () => {
  test('is on the requested side, aligned', () => {
    expect(placePanel(anchor, panel, view, { side: 'bottom', align: 'start', gap: 6 })).toMatchObject({
      left: 400,
      top: 338,
      side: 'bottom',
    })
    expect(placePanel(anchor, panel, view, { side: 'bottom', align: 'end', gap: 6 })).toMatchObject({ left: 300, top: 338 })
    expect(placePanel(anchor, panel, view, { side: 'top', align: 'center', gap: 6 })).toMatchObject({ left: 350, top: 144 })
    expect(placePanel(anchor, panel, view, { side: 'right', align: 'center', gap: 6 })).toMatchObject({ left: 506, top: 241 })
  })

  test('is on the other side if there is more space and too little here', () => {
    const lowWindow = { ...anchor, top: 700, bottom: 732 }
    expect(placePanel(lowWindow, panel, view, { side: 'bottom', align: 'start', gap: 6 })).toMatchObject({
      side: 'top',
      top: 544,
    })
  })

  test('has the height of the available space', () => {
    const tallPanel = { width: 200, height: 5000 }
    const { side, maxHeight, top } = placePanel(anchor, tallPanel, view, { side: 'bottom', align: 'start', gap: 6 })
    expect({ side, maxHeight, top }).toEqual({ side: 'bottom', maxHeight: 454, top: 338 })
  })

  test('is inside the window, wherever the anchor is', () => {
    const number = fc.integer({ min: -500, max: 1500 })
    const placement = fc.record({
      side: fc.constantFrom('top' as const, 'bottom' as const, 'left' as const, 'right' as const),
      align: fc.constantFrom('start' as const, 'center' as const, 'end' as const),
      gap: fc.integer({ min: 0, max: 20 }),
    })
    fc.assert(
      fc.property(number, number, placement, (left, top, wanted) => {
        const found = placePanel({ left, top, right: left + 80, bottom: top + 30 }, panel, view, wanted)
        expect(found.left).toBeGreaterThanOrEqual(8)
        expect(found.top).toBeGreaterThanOrEqual(8)
        expect(found.left + panel.width).toBeLessThanOrEqual(view.width - 8)
        expect(found.top + Math.min(panel.height, found.maxHeight)).toBeLessThanOrEqual(view.height - 8)
      }),
    )
  })
})

describe('moving in a menu', () => {
  test.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['ArrowUp', -1, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['Enter', 0, null],
  ])('%s from %i', (key, current, expected) => {
    expect(menuTarget(key, current, 3)).toBe(expected)
  })

  test('has no target in an empty menu', () => {
    expect(menuTarget('ArrowDown', -1, 0)).toBeNull()
    expect(typedTarget('a', -1, [])).toBeNull()
  })

  const labels = ['Deutsch', 'English', 'Español', 'Dark']
  test.each([
    ['d', -1, 0],
    ['d', 0, 3],
    ['dd', 0, 3],
    ['es', 1, 2],
    ['e', 2, 1],
    ['ESP', -1, 2],
    ['x', 0, null],
  ])('by typing %j from %i', (typed, current, expected) => {
    expect(typedTarget(typed, current, labels)).toBe(expected)
  })
})
