import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { expect, test } from 'vitest'
import type { Change, OutboxLine } from '#lib/outbox/types.ts'
import { listRecords, pageResult, requestedStatus } from './offline-list.ts'

const createRecord = (id: string, ...responses: Partial<Response>[]) => ({ id, responses }) as unknown as AnnotationRecord
const save = (status: 'draft' | 'submitted' | 'discarded'): Change => ({ kind: 'save', status, values: {} })
const createLine = (id: string, change: Change, issue: OutboxLine['issue'] = null): readonly [string, OutboxLine] => [
  id,
  {
    user_id: 'me',
    dataset_id: 'd',
    record_id: id,
    base: null,
    entries: [{ mutation_id: 'm', change, made_at: 0, attempted: false }],
    issue,
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
  ['pending records', { filters: { and: [ofStatus('pending'), pendingRecords] } }, 'pending'],
  ['two statuses', { filters: { and: [ofStatus('submitted', 'draft')] } }, null],
  ['words', { query: { text: { q: 'x' } }, filters: { and: [ofStatus('submitted')] } }, null],
  ['a sort order', { filters: { and: [ofStatus('submitted')] }, sort: [{ scope: pendingRecords.scope, order: 'asc' }] }, null],
  [
    'answers',
    { filters: { and: [ofStatus('submitted'), { type: 'terms', scope: { entity: 'response', question: 'q' }, values: ['a'] }] } },
    null,
  ],
  ['nothing', {}, null],
])('a search for %s', (_, body, status) => {
  expect(requestedStatus(body)).toBe(status)
})

const records = [
  createRecord('open'),
  createRecord('answered'),
  createRecord('rejected'),
  createRecord('kept as a draft', { status: 'draft', version: 3 }),
  createRecord('was a draft', { status: 'draft', version: 4 }),
  createRecord('taken back', { status: 'submitted', version: 2 }),
]
const lines = new Map([
  createLine('answered', save('submitted')),
  createLine('rejected', save('submitted'), { kind: 'rejected', status: 422, reason: null }),
  createLine('was a draft', save('submitted')),
  createLine('taken back', { kind: 'remove' }),
])
const idsOf = (status: Parameters<typeof listRecords>[2]) =>
  listRecords(records, lines, status).map(({ now, isIn }) => [now.id, isIn] as const)

test('a list contains the server’s records, adjusted by the answers waiting on the device', () => {
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
    ['rejected', true],
    ['taken back', false],
  ])
})

test('a list matches the server’s current state on one page, and the expected state over several pages', () => {
  const listed = listRecords(records, lines, 'submitted')
  const one = pageResult(listed, { offset: 0, limit: 10 })
  expect(one.total).toBe(1)
  expect(one.items.map(({ record }) => record.responses?.[0]?.status)).toEqual([undefined, 'draft', 'submitted'])
  const first = pageResult(listed, { offset: 0, limit: 2 })
  const next = pageResult(listed, { offset: 2, limit: 2 })
  expect([first.total, next.total]).toEqual([3, 3])
  expect(
    [...first.items, ...next.items].map(({ record }) => [record.responses?.[0]?.status, record.responses?.[0]?.version]),
  ).toEqual([
    ['submitted', null],
    ['submitted', 4],
    ['submitted', 2],
  ])
})
