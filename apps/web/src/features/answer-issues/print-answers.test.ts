import { expect, test } from 'vitest'
import type { OutboxLine } from '#lib/outbox/types.ts'
import { printLines, printValues } from './print-answers.ts'

test('answers of every type are formatted as text without their questions', () => {
  const values = {
    tone: { value: 'calm' },
    stars: { value: 0 },
    tags: { value: ['new', 'old'] },
    order: {
      value: [
        { value: 'b', rank: 1 },
        { value: 'a', rank: 2 },
      ],
    },
    names: { value: [{ start: 0, end: 4, label: 'PERSON' }] },
  }
  expect(printValues(values)).toEqual([
    { name: 'tone', text: 'calm' },
    { name: 'stars', text: '0' },
    { name: 'tags', text: 'new, old' },
    { name: 'order', text: 'value: b rank: 1, value: a rank: 2' },
    { name: 'names', text: 'start: 0 end: 4 label: PERSON' },
  ])
})

test('a copied answer is complete, including one that was to be deleted', () => {
  const place = { user_id: 'u', dataset_id: 'd', base: null, issue: null }
  const entry = { mutation_id: 'm', made_at: 0, attempted: true }
  const lines: readonly OutboxLine[] = [
    {
      ...place,
      record_id: 'r',
      entries: [{ ...entry, change: { kind: 'save', status: 'draft', values: { tone: { value: 'calm' } } } }],
    },
    { ...place, record_id: 's', entries: [{ ...entry, change: { kind: 'remove' } }] },
  ]
  expect(JSON.parse(printLines(lines))).toEqual([
    { dataset_id: 'd', record_id: 'r', status: 'draft', values: { tone: { value: 'calm' } } },
    { dataset_id: 'd', record_id: 's', status: null },
  ])
})
