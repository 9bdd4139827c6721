import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addState, createHistory, redoState, undoState } from './undo-history.ts'

test('undo and redo move step by step, and a change clears the redo steps', () => {
  const written = addState(addState(createHistory('a'), 'b', 'q'), 'c', 'q')
  expect([
    undoState(written).present,
    undoState(undoState(written)).present,
    undoState(undoState(undoState(written))).present,
  ]).toEqual(['b', 'a', 'a'])
  expect(redoState(undoState(written)).present).toBe('c')
  expect(redoState(addState(undoState(written), 'd', 'q')).present).toBe('d')
})

test('typing in one question is one step, and typing in another starts a new one', () => {
  let history = createHistory('')
  for (const text of ['h', 'hi', 'hi ', 'hi t']) history = addState(history, text, 'q', true)
  history = addState(history, 'other', 'r', true)
  expect([undoState(history).present, undoState(undoState(history)).present]).toEqual(['hi t', ''])
})

test('undoing and redoing everything ends in the same state', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.constantFrom('q', 'r'), fc.boolean()), { maxLength: 50 }), (steps) => {
      const history = steps.reduce((all, [state, topic, merge]) => addState(all, state, topic, merge), createHistory('start'))
      let there = history
      for (let i = 0; i < 60; i += 1) there = undoState(there)
      expect(there.present).toBe('start')
      for (let i = 0; i < 60; i += 1) there = redoState(there)
      expect(there.present).toBe(history.present)
    }),
  )
})
