import { describe, expect, test } from 'vitest'
import { defaultBindings } from '#lib/keys/bindings.ts'
import type { KeyPlace } from './place-of-key.ts'
import { actionFor } from './shortcuts.ts'

const press = (key: string, { ctrl = false, shift = false, alt = false } = {}) => ({ key, ctrl, shift, alt })
const places: readonly KeyPlace[] = ['form', 'writing', 'page', 'elsewhere']
const at = (key: string, modifiers = {}) => places.map((place) => actionFor(press(key, modifiers), place, defaultBindings))

describe('keys per place: form, text input, page, elsewhere', () => {
  test.each([
    ['Enter', {}, ['submit', null, 'submit', null]],
    ['Backspace', {}, ['discard', null, 'discard', null]],
    ['ArrowRight', {}, ['next', null, 'next', null]],
    ['ArrowLeft', {}, ['previous', null, 'previous', null]],
    ['ArrowDown', {}, ['nextQuestion', null, 'nextQuestion', null]],
    ['Escape', {}, ['toQuestion', null, 'toQuestion', null]],
    ['?', { shift: true }, ['help', null, 'help', null]],
    ['s', { ctrl: true }, ['saveDraft', 'saveDraft', 'saveDraft', null]],
    ['z', { ctrl: true }, ['undo', 'undo', 'undo', null]],
    ['Z', { ctrl: true, shift: true }, ['redo', 'redo', 'redo', null]],
    ['Enter', { ctrl: true }, ['submit', 'submit', 'submit', null]],
    ['Enter', { shift: true }, [null, null, null, null]],
    ['ArrowRight', { alt: true }, [null, null, null, null]],
    ['ArrowRight', { ctrl: true }, [null, null, null, null]],
    ['a', {}, [null, null, null, null]],
  ])('%s %j', (key, modifiers, expected) => {
    expect(at(key, modifiers)).toEqual(expected)
  })
})

test('changed shortcuts trigger their new action, and their old keys no longer do', () => {
  const changed = { ...defaultBindings, submit: 'Ctrl+D', discard: 'PageDown', undo: 'Ctrl+Y' }
  const action = (key: string, modifiers = {}, place: KeyPlace = 'page') => actionFor(press(key, modifiers), place, changed)
  expect([action('d', { ctrl: true }), action('d', { ctrl: true }, 'writing'), action('Enter')]).toEqual([
    'submit',
    'submit',
    null,
  ])
  expect([action('PageDown'), action('PageDown', {}, 'writing'), action('Backspace')]).toEqual(['discard', null, null])
  // Ctrl+Y is a second key for redo by default. The changed shortcut for undo overrides it.
  expect([action('y', { ctrl: true }), action('z', { ctrl: true }), action('Enter', { ctrl: true })]).toEqual([
    'undo',
    null,
    'submit',
  ])
})
