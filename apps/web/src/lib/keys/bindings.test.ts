import { describe, expect, test } from 'vitest'
import {
  bindingOf,
  boundDeeds,
  changesOf,
  deedBoundTo,
  partsOf,
  readBindings,
  rebound,
  refusalOf,
  usualBindings,
} from './bindings.ts'

const press = (key: string, held: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) =>
  bindingOf({ key, ctrl: false, shift: false, alt: false, ...held })

test.each([
  [press('s', { ctrl: true }), 'Ctrl+S'],
  [press('S', { ctrl: true }), 'Ctrl+S'],
  [press('Z', { ctrl: true, shift: true }), 'Ctrl+Shift+Z'],
  // Shift is part of what the character is, on whatever keyboard.
  [press('?', { shift: true }), '?'],
  [press('ArrowUp', { shift: true }), 'Shift+ArrowUp'],
  [press('+', { ctrl: true }), 'Ctrl++'],
  [press('ß'), 'ß'],
  [press('x', { alt: true }), 'Alt+X'],
  [press('Shift', { shift: true }), null],
  [press('Dead'), null],
])('%s', (binding, wanted) => {
  expect(binding).toBe(wanted)
})

test('a binding comes apart into what is printed on the keys', () => {
  expect(partsOf('Ctrl+Shift+Z')).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(partsOf('Ctrl++')).toEqual(['Ctrl', '+'])
  expect(partsOf('+')).toEqual(['+'])
})

describe('a key can not be had', () => {
  test.each(['a', 'A', '7', 'ж', ' ', 'Tab', 'Escape'].map((key) => press(key) ?? ''))('from the questions: %j', (binding) => {
    expect(refusalOf(binding)).toBe('question')
  })
  test.each(['Shift+Enter', 'Shift+ArrowLeft', 'Shift+Tab', 'Ctrl+Tab'])('from the questions: %s', (binding) => {
    expect(refusalOf(binding)).toBe('question')
  })
  test.each(['Ctrl+A', 'Ctrl+C', 'Ctrl+R', 'F5', 'F12', 'Alt+ArrowLeft', 'Ctrl+ArrowLeft', 'Ctrl+Backspace', 'Ctrl+Shift+V'])(
    'from the browser: %s',
    (binding) => {
      expect(refusalOf(binding)).toBe('browser')
    },
  )
  test.each([
    ...Object.values(usualBindings),
    '.',
    'F9',
    'PageDown',
    'Delete',
    'Ctrl+D',
    'Ctrl+Enter',
    'Ctrl+Shift+Enter',
    'Ctrl+.',
  ])('others can: %s', (binding) => {
    expect(refusalOf(binding)).toBeNull()
  })
})

test('a key that something else has is swapped: nothing is left without one, nor two with the same', () => {
  const once = rebound(usualBindings, 'next', 'ArrowLeft')
  expect([once.next, once.previous]).toEqual(['ArrowLeft', 'ArrowRight'])
  const twice = rebound(once, 'submit', 'F9')
  expect(new Set(Object.values(twice)).size).toBe(boundDeeds.length)
  expect(deedBoundTo(twice, 'Enter')).toBeNull()
  expect(changesOf(twice)).toEqual({ submit: 'F9', next: 'ArrowLeft', previous: 'ArrowRight' })
  expect(readBindings(JSON.parse(JSON.stringify(changesOf(twice))))).toEqual(twice)
})

test.each([null, 'Enter', [], { submit: 7 }, { submit: '' }, { submit: 'A' }, { submit: 'Backspace' }, { unknown: 'F9' }])(
  '%j in the store are the usual keys',
  (stored) => {
    expect(readBindings(stored)).toEqual(usualBindings)
  },
)
