import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Change, OutboxLine, ServerAnswer } from '#lib/outbox/types.ts'
import type { ListItem } from '../queue/list-item.ts'
import { createAnswerShift } from './answer-shift.ts'

const noAnswers = { pending: 0, draft: 0, submitted: 0, discarded: 0 }
const serverAnswer = (status: 'draft' | 'submitted' | 'discarded') => ({ status }) as ServerAnswer
const item = (id: string, answer: ServerAnswer | null): ListItem =>
  ({ record: { id }, serverAnswer: answer }) as unknown as ListItem
const line = (id: string, change: Change, more: Partial<OutboxLine> = {}): OutboxLine => ({
  user_id: 'u',
  dataset_id: 'd',
  record_id: id,
  base: null,
  entries: [{ mutation_id: 'm', change, made_at: 0, attempted: false }],
  issue: null,
  ...more,
})
const submitted: Change = { kind: 'save', status: 'submitted', values: {} }

const setUp = (lines: readonly OutboxLine[], items: readonly ListItem[] = []) =>
  createAnswerShift({
    datasetId: 'd',
    lines: () => new Map(lines.map((one) => [one.record_id, one])),
    find: (id) => items.find(({ record }) => record.id === id),
  })

describe('an unsent answer', () => {
  test('moves the record out of the status that the server knows', () => {
    const known = item('b', serverAnswer('draft'))
    const lines = [line('a', submitted), line('b', submitted, { base: 3 }), line('c', { kind: 'remove' }, { base: 1 })]
    expect(setUp(lines, [known, item('c', serverAnswer('discarded'))]).since(0)).toEqual({
      pending: 0,
      draft: -1,
      submitted: 2,
      discarded: -1,
    })
  })

  test('is not counted in another dataset, after a refusal or if the previous status is unknown', () => {
    const lines = [
      line('a', submitted, { dataset_id: 'other' }),
      line('b', submitted, { issue: { kind: 'rejected', status: 422, reason: null } }),
      line('c', submitted, { base: 2 }),
    ]
    expect(setUp(lines).since(0)).toEqual(noAnswers)
  })
})

describe('a confirmed answer', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
  afterEach(() => void vi.useRealTimers())

  test('shifts the counts until they are reloaded', () => {
    const shift = setUp([])
    shift.confirmed(item('a', null), serverAnswer('submitted'))
    vi.advanceTimersByTime(1000)
    shift.confirmed(item('b', serverAnswer('draft')), null)
    expect(shift.since(500)).toEqual({ pending: 0, draft: -1, submitted: 1, discarded: 0 })
    expect(shift.since(1500)).toEqual({ pending: 1, draft: -1, submitted: 0, discarded: 0 })
    vi.advanceTimersByTime(1000)
    expect(shift.since(2500)).toEqual(noAnswers)
  })

  test("is counted once even if the computer's clock is then set back or forward", () => {
    for (const now of [-3_600_000, 3_600_000]) {
      vi.setSystemTime(10_000)
      const shift = setUp([])
      shift.confirmed(item('a', null), serverAnswer('submitted'))
      vi.advanceTimersByTime(1000)
      expect(shift.since(10_500)).toEqual(noAnswers)
      vi.setSystemTime(now)
      expect(shift.since(10_500)).toEqual(noAnswers)
      vi.advanceTimersByTime(1000)
      shift.confirmed(item('b', null), serverAnswer('discarded'))
      expect(shift.since(10_500)).toEqual({ ...noAnswers, pending: -1, discarded: 1 })
      vi.advanceTimersByTime(1000)
      expect(shift.since(now + 1500)).toEqual(noAnswers)
    }
  })
})
