import { expect, test } from 'vitest'
import { createEdits } from './edits.ts'

test('an edit is kept until it is forgotten, and every change is told', () => {
  const edits = createEdits()
  let told = 0
  const stop = edits.subscribe(() => {
    told += 1
  })
  edits.set('fields/1', { title: 'a' })
  edits.set('fields/2', { title: 'b' })
  expect([...edits.snapshot().keys()]).toEqual(['fields/1', 'fields/2'])
  edits.set('fields/1', undefined)
  expect([...edits.snapshot().keys()]).toEqual(['fields/2'])
  expect(told).toBe(3)
  stop()
  edits.set('fields/2', undefined)
  expect(told).toBe(3)
})

test('what was read before a change stays as it was', () => {
  const edits = createEdits()
  const before = edits.snapshot()
  edits.set('general/guidelines', 'text')
  expect(before.size).toBe(0)
})
