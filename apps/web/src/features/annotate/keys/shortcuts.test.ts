import { describe, expect, test } from 'vitest'
import { usualBindings } from '#lib/keys/bindings.ts'
import type { KeyPlace } from './place-of-key.ts'
import { deedOf } from './shortcuts.ts'

const press = (key: string, { ctrl = false, shift = false, alt = false } = {}) => ({ key, ctrl, shift, alt })
const places: readonly KeyPlace[] = ['form', 'writing', 'page', 'elsewhere']
const at = (key: string, modifiers = {}) => places.map((place) => deedOf(press(key, modifiers), place, usualBindings))

describe('keys by place: in the form, in a text, on the page, elsewhere', () => {
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
  ])('%s %j', (key, modifiers, wanted) => {
    expect(at(key, modifiers)).toEqual(wanted)
  })
})

test('keys that were changed do what they were changed to, and what had them before does not answer to them', () => {
  const changed = { ...usualBindings, submit: 'Ctrl+D', discard: 'PageDown', undo: 'Ctrl+Y' }
  const deed = (key: string, modifiers = {}, place: KeyPlace = 'page') => deedOf(press(key, modifiers), place, changed)
  expect([deed('d', { ctrl: true }), deed('d', { ctrl: true }, 'writing'), deed('Enter')]).toEqual(['submit', 'submit', null])
  expect([deed('PageDown'), deed('PageDown', {}, 'writing'), deed('Backspace')]).toEqual(['discard', null, null])
  // The other key for redoing gives way.
  expect([deed('y', { ctrl: true }), deed('z', { ctrl: true }), deed('Enter', { ctrl: true })]).toEqual(['undo', null, 'submit'])
})
