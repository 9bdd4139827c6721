import { describe, expect, test } from 'vitest'
import {
  actionBoundTo,
  bindingOf,
  boundActions,
  changedBindings,
  defaultBindings,
  partsOf,
  readBindings,
  rebind,
  rejectionOf,
} from './bindings.ts'

const press = (key: string, held: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) =>
  bindingOf({ key, ctrl: false, shift: false, alt: false, ...held })

test.each([
  [press('s', { ctrl: true }), 'Ctrl+S'],
  [press('S', { ctrl: true }), 'Ctrl+S'],
  [press('Z', { ctrl: true, shift: true }), 'Ctrl+Shift+Z'],
  // Shift is part of the character, whatever the keyboard layout.
  [press('?', { shift: true }), '?'],
  [press('ArrowUp', { shift: true }), 'Shift+ArrowUp'],
  [press('+', { ctrl: true }), 'Ctrl++'],
  [press('ß'), 'ß'],
  [press('x', { alt: true }), 'Alt+X'],
  [press('Shift', { shift: true }), null],
  [press('Dead'), null],
])('%s', (binding, expected) => {
  expect(binding).toBe(expected)
})

test('a shortcut is split into the labels of its keys', () => {
  expect(partsOf('Ctrl+Shift+Z')).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(partsOf('Ctrl++')).toEqual(['Ctrl', '+'])
  expect(partsOf('+')).toEqual(['+'])
})

describe("a key can't be assigned", () => {
  test.each(['a', 'A', '7', 'ж', ' ', 'Tab', 'Escape'].map((key) => press(key) ?? ''))('if questions use it: %j', (binding) => {
    expect(rejectionOf(binding)).toBe('question')
  })
  test.each(['Shift+Enter', 'Shift+ArrowLeft', 'Shift+Tab', 'Ctrl+Tab'])('if questions use it with modifiers: %s', (binding) => {
    expect(rejectionOf(binding)).toBe('question')
  })
  test.each(['Ctrl+A', 'Ctrl+C', 'Ctrl+R', 'F5', 'F12', 'Alt+ArrowLeft', 'Ctrl+ArrowLeft', 'Ctrl+Backspace', 'Ctrl+Shift+V'])(
    'if the browser uses it: %s',
    (binding) => {
      expect(rejectionOf(binding)).toBe('browser')
    },
  )
  test.each([
    ...Object.values(defaultBindings),
    '.',
    'F9',
    'PageDown',
    'Delete',
    'Ctrl+D',
    'Ctrl+Enter',
    'Ctrl+Shift+Enter',
    'Ctrl+.',
  ])('other keys can be assigned: %s', (binding) => {
    expect(rejectionOf(binding)).toBeNull()
  })
})

test('assigning a used key swaps the two: no action loses its key, and no key is used twice', () => {
  const once = rebind(defaultBindings, 'next', 'ArrowLeft')
  expect([once.next, once.previous]).toEqual(['ArrowLeft', 'ArrowRight'])
  const twice = rebind(once, 'submit', 'F9')
  expect(new Set(Object.values(twice)).size).toBe(boundActions.length)
  expect(actionBoundTo(twice, 'Enter')).toBeNull()
  expect(changedBindings(twice)).toEqual({ submit: 'F9', next: 'ArrowLeft', previous: 'ArrowRight' })
  expect(readBindings(JSON.parse(JSON.stringify(changedBindings(twice))))).toEqual(twice)
})

test.each([null, 'Enter', [], { submit: 7 }, { submit: '' }, { submit: 'A' }, { submit: 'Backspace' }, { unknown: 'F9' }])(
  'stored value %j gives the default keys',
  (stored) => {
    expect(readBindings(stored)).toEqual(defaultBindings)
  },
)
