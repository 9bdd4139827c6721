import { expect, test } from 'vitest'
import { createEdits } from './edits.ts'

test('an edit is kept until it is dropped, and every change is announced', () => {
  const edits = createEdits()
  let notifications = 0
  const stop = edits.subscribe(() => {
    notifications += 1
  })
  edits.set('fields/1', { title: 'a' })
  edits.set('fields/2', { title: 'b' })
  expect([...edits.snapshot().keys()]).toEqual(['fields/1', 'fields/2'])
  edits.set('fields/1', undefined)
  expect([...edits.snapshot().keys()]).toEqual(['fields/2'])
  expect(notifications).toBe(3)
  stop()
  edits.set('fields/2', undefined)
  expect(notifications).toBe(3)
})

test('a snapshot does not change with later edits', () => {
  const edits = createEdits()
  const before = edits.snapshot()
  edits.set('general/guidelines', 'text')
  expect(before.size).toBe(0)
})
