import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Change, Line, StandingAnswer } from '#lib/outbox/types.ts'
import { createAnswerShift } from './answer-shift.ts'
import type { QueueItem } from './queue/item.ts'

const none = { pending: 0, draft: 0, submitted: 0, discarded: 0 }
const standing = (status: 'draft' | 'submitted' | 'discarded') => ({ status }) as StandingAnswer
const item = (id: string, answer: StandingAnswer | null): QueueItem =>
  ({ record: { id }, standing: answer }) as unknown as QueueItem
const line = (id: string, change: Change, more: Partial<Line> = {}): Line => ({
  user_id: 'u',
  dataset_id: 'd',
  record_id: id,
  base: null,
  entries: [{ mutation_id: 'm', change, made_at: 0, attempted: false }],
  trouble: null,
  ...more,
})
const submitted: Change = { kind: 'save', status: 'submitted', values: {} }

const world = (lines: readonly Line[], items: readonly QueueItem[] = []) =>
  createAnswerShift({
    datasetId: 'd',
    lines: () => new Map(lines.map((one) => [one.record_id, one])),
    find: (id) => items.find(({ record }) => record.id === id),
  })

describe('what is not sent yet', () => {
  test('moves the record from the status that the server knows', () => {
    const known = item('b', standing('draft'))
    const lines = [line('a', submitted), line('b', submitted, { base: 3 }), line('c', { kind: 'remove' }, { base: 1 })]
    expect(world(lines, [known, item('c', standing('discarded'))]).since(0)).toEqual({
      pending: 0,
      draft: -1,
      submitted: 2,
      discarded: -1,
    })
  })

  test('counts for nothing in another dataset, when it was refused, and where the status before is not known', () => {
    const lines = [
      line('a', submitted, { dataset_id: 'other' }),
      line('b', submitted, { trouble: { kind: 'refused', status: 422, reason: null } }),
      line('c', submitted, { base: 2 }),
    ]
    expect(world(lines).since(0)).toEqual(none)
  })
})

describe('what was confirmed', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
  afterEach(() => void vi.useRealTimers())

  test('shifts the counts until they come anew', () => {
    const shift = world([])
    shift.confirmed(item('a', null), standing('submitted'))
    vi.advanceTimersByTime(1000)
    shift.confirmed(item('b', standing('draft')), null)
    expect(shift.since(500)).toEqual({ pending: 0, draft: -1, submitted: 1, discarded: 0 })
    expect(shift.since(1500)).toEqual({ pending: 1, draft: -1, submitted: 0, discarded: 0 })
    vi.advanceTimersByTime(1000)
    expect(shift.since(2500)).toEqual(none)
  })

  test('counts once when the clock of the computer is put back, or forward, after it', () => {
    for (const now of [-3_600_000, 3_600_000]) {
      vi.setSystemTime(10_000)
      const shift = world([])
      shift.confirmed(item('a', null), standing('submitted'))
      vi.advanceTimersByTime(1000)
      expect(shift.since(10_500)).toEqual(none)
      vi.setSystemTime(now)
      expect(shift.since(10_500)).toEqual(none)
      vi.advanceTimersByTime(1000)
      shift.confirmed(item('b', null), standing('discarded'))
      expect(shift.since(10_500)).toEqual({ ...none, pending: -1, discarded: 1 })
      vi.advanceTimersByTime(1000)
      expect(shift.since(now + 1500)).toEqual(none)
    }
  })
})
