import { expect, test } from 'vitest'
import { fromStoredLine, toStoredLine } from './stored-line.ts'
import type { AnswerIssue, OutboxLine } from './types.ts'

const line = (issue: AnswerIssue | null): OutboxLine => ({
  user_id: 'ada',
  dataset_id: 'd',
  record_id: 'r1',
  base: 1,
  entries: [],
  issue,
})
const place = { user_id: 'ada', dataset_id: 'd', record_id: 'r1', base: 1, entries: [] }

test.each([
  ['without an issue', null, null],
  ['rejected', { kind: 'rejected', status: 422, reason: 'no' }, { kind: 'refused', status: 422, reason: 'no' }],
  ['in conflict', { kind: 'conflict', standing: null }, { kind: 'conflict', standing: null }],
] as const)('a line %s is stored under names that do not change, and read back', (_case, issue, trouble) => {
  expect(toStoredLine(line(issue))).toEqual({ ...place, trouble })
  expect(fromStoredLine({ ...place, trouble })).toEqual(line(issue))
})
