import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, historyOf, redone, undone } from './history.ts'

test('undo goes back step by step, redo forth, a change ends what could be redone', () => {
  const written = changed(changed(historyOf('a'), 'b', 'q'), 'c', 'q')
  expect([undone(written).present, undone(undone(written)).present, undone(undone(undone(written))).present]).toEqual([
    'b',
    'a',
    'a',
  ])
  expect(redone(undone(written)).present).toBe('c')
  expect(redone(changed(undone(written), 'd', 'q')).present).toBe('d')
})

test('letters of one question are one step, those of another a new one', () => {
  let history = historyOf('')
  for (const text of ['h', 'hi', 'hi ', 'hi t']) history = changed(history, text, 'q', true)
  history = changed(history, 'other', 'r', true)
  expect([undone(history).present, undone(undone(history)).present]).toEqual(['hi t', ''])
})

test('whatever was done, undoing all of it and redoing all of it ends in the same state', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.constantFrom('q', 'r'), fc.boolean()), { maxLength: 50 }), (steps) => {
      const history = steps.reduce((all, [state, topic, merge]) => changed(all, state, topic, merge), historyOf('start'))
      let there = history
      for (let i = 0; i < 60; i += 1) there = undone(there)
      expect(there.present).toBe('start')
      for (let i = 0; i < 60; i += 1) there = redone(there)
      expect(there.present).toBe(history.present)
    }),
  )
})
