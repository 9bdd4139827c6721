import { expect, test } from 'vitest'
import type { Answers, Draft } from '#lib/drafts/draft.ts'
import type { Change, OutboxLine } from '#lib/outbox/types.ts'
import { unsavedAnswers } from './unsaved-answers.ts'

const line = (record_id: string, ...changes: readonly Change[]): OutboxLine => ({
  user_id: 'u',
  dataset_id: 'd',
  record_id,
  base: null,
  entries: changes.map((change, at) => ({ mutation_id: `${record_id}-${at}`, change, made_at: at, attempted: true })),
  issue: null,
})
const saved = (values: { readonly [question: string]: string }): Change => ({
  kind: 'save',
  status: 'submitted',
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
})
const draft = (record_id: string, values: { readonly [question: string]: string | null }): Draft => ({
  user_id: 'u',
  dataset_id: 'd',
  record_id,
  answers: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, suggested: null }])) as Answers,
  base_version: null,
  edited_at: 0,
})
const unsaved = (record_id: string, status: string | null, values: { readonly [question: string]: string }) => ({
  dataset_id: 'd',
  record_id,
  status,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
})

test('the last unsent answer to each record is returned, and edits without an answer', () => {
  const lines = [line('a', saved({ q: 'first' }), saved({ q: 'last' })), line('b', { kind: 'remove' })]
  expect(unsavedAnswers(lines, [draft('c', { q: 'typed', note: null }), draft('d', { q: null })])).toEqual([
    unsaved('a', 'submitted', { q: 'last' }),
    unsaved('c', null, { q: 'typed' }),
  ])
})

test('edits change only the edited questions of an unsent answer', () => {
  const lines = [line('a', saved({ q: 'yes', note: 'long', tone: 'calm' }))]
  expect(unsavedAnswers(lines, [draft('a', { note: 'longer', tone: null })])).toEqual([
    unsaved('a', 'submitted', { q: 'yes', note: 'longer' }),
  ])
})
