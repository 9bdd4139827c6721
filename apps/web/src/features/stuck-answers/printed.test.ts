import { expect, test } from 'vitest'
import type { Line } from '#lib/outbox/types.ts'
import { printedLines, printedValues } from './printed.ts'

test('answers of every shape are put in words without their questions', () => {
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
  expect(printedValues(values)).toEqual([
    { name: 'tone', text: 'calm' },
    { name: 'stars', text: '0' },
    { name: 'tags', text: 'new, old' },
    { name: 'order', text: 'value: b rank: 1, value: a rank: 2' },
    { name: 'names', text: 'start: 0 end: 4 label: PERSON' },
  ])
})

test('what is copied is whole, also of an answer that was to be taken back', () => {
  const place = { user_id: 'u', dataset_id: 'd', base: null, trouble: null }
  const entry = { mutation_id: 'm', made_at: 0, attempted: true }
  const lines: readonly Line[] = [
    {
      ...place,
      record_id: 'r',
      entries: [{ ...entry, change: { kind: 'save', status: 'draft', values: { tone: { value: 'calm' } } } }],
    },
    { ...place, record_id: 's', entries: [{ ...entry, change: { kind: 'remove' } }] },
  ]
  expect(JSON.parse(printedLines(lines))).toEqual([
    { dataset_id: 'd', record_id: 'r', status: 'draft', values: { tone: { value: 'calm' } } },
    { dataset_id: 'd', record_id: 's', status: null },
  ])
})
