import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { expect, test } from 'vitest'
import type { Change, Line } from '#lib/outbox/types.ts'
import { listOf, pageOf, statusAskedFor } from './list-at-hand.ts'

const recordOf = (id: string, ...responses: Partial<Response>[]) => ({ id, responses }) as unknown as AnnotationRecord
const save = (status: 'draft' | 'submitted' | 'discarded'): Change => ({ kind: 'save', status, values: {} })
const lineOf = (id: string, change: Change, trouble: Line['trouble'] = null): readonly [string, Line] => [
  id,
  {
    user_id: 'me',
    dataset_id: 'd',
    record_id: id,
    base: null,
    entries: [{ mutation_id: 'm', change, made_at: 0, attempted: false }],
    trouble,
  },
]
const ofStatus = (...values: string[]) => ({
  type: 'terms' as const,
  scope: { entity: 'response' as const, property: 'status' as const },
  values,
})
const pendingRecords = {
  type: 'terms' as const,
  scope: { entity: 'record' as const, property: 'status' as const },
  values: ['pending'],
}

test.each<readonly [string, SearchBodyInput, string | null]>([
  ['a status', { filters: { and: [ofStatus('submitted')] } }, 'submitted'],
  ['what is pending', { filters: { and: [ofStatus('pending'), pendingRecords] } }, 'pending'],
  ['two statuses', { filters: { and: [ofStatus('submitted', 'draft')] } }, null],
  ['words', { query: { text: { q: 'x' } }, filters: { and: [ofStatus('submitted')] } }, null],
  ['an order', { filters: { and: [ofStatus('submitted')] }, sort: [{ scope: pendingRecords.scope, order: 'asc' }] }, null],
  [
    'answers',
    { filters: { and: [ofStatus('submitted'), { type: 'terms', scope: { entity: 'response', question: 'q' }, values: ['a'] }] } },
    null,
  ],
  ['nothing', {}, null],
])('a search for %s', (_, body, status) => {
  expect(statusAskedFor(body)).toBe(status)
})

const records = [
  recordOf('open'),
  recordOf('answered'),
  recordOf('refused'),
  recordOf('kept as a draft', { status: 'draft', version: 3 }),
  recordOf('was a draft', { status: 'draft', version: 4 }),
  recordOf('taken back', { status: 'submitted', version: 2 }),
]
const lines = new Map([
  lineOf('answered', save('submitted')),
  lineOf('refused', save('submitted'), { kind: 'refused', status: 422, reason: null }),
  lineOf('was a draft', save('submitted')),
  lineOf('taken back', { kind: 'remove' }),
])
const idsOf = (status: Parameters<typeof listOf>[2]) =>
  listOf(records, lines, status).map(({ now, isIn }) => [now.id, isIn] as const)

test('a list has what the server has in it, and what it will have by what waits here', () => {
  expect(idsOf('submitted')).toEqual([
    ['answered', false],
    ['was a draft', false],
    ['taken back', true],
  ])
  expect(idsOf('draft')).toEqual([
    ['kept as a draft', true],
    ['was a draft', true],
  ])
  expect(idsOf('discarded')).toEqual([])
  expect(idsOf('pending')).toEqual([
    ['open', true],
    ['answered', true],
    ['refused', true],
    ['taken back', false],
  ])
})

test('on one page it is what the server has now, over several what it will have', () => {
  const listed = listOf(records, lines, 'submitted')
  const one = pageOf(listed, { offset: 0, limit: 10 })
  expect(one.total).toBe(1)
  expect(one.items.map(({ record }) => record.responses?.[0]?.status)).toEqual([undefined, 'draft', 'submitted'])
  const first = pageOf(listed, { offset: 0, limit: 2 })
  const next = pageOf(listed, { offset: 2, limit: 2 })
  expect([first.total, next.total]).toEqual([3, 3])
  expect(
    [...first.items, ...next.items].map(({ record }) => [record.responses?.[0]?.status, record.responses?.[0]?.version]),
  ).toEqual([
    ['submitted', null],
    ['submitted', 4],
    ['submitted', 2],
  ])
})
