import { expect, test } from 'vitest'
import { answerErrorCode } from './answer-error-code.ts'
import type { Change } from './types.ts'

const save: Change = { kind: 'save', status: 'submitted', values: {} }
const codeOf = (base: number | null, change: Change): string =>
  answerErrorCode({ base, entries: [{ mutation_id: 'm', made_at: 0, attempted: true, change }] })

test('a rejected answer has a code for what it would have done', () => {
  expect(codeOf(null, save)).toBe('ERROR_CREATING_RECORD_RESPONSE')
  expect(codeOf(2, save)).toBe('ERROR_UPDATING_RECORD_RESPONSE')
  expect(codeOf(2, { kind: 'remove' })).toBe('ERROR_DELETING_RECORD_RESPONSE')
})
