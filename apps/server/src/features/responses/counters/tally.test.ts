import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Answered } from './tally.ts'
import { recordStatus, submittedDelta, Tally } from './tally.ts'

const statuses = ['draft', 'submitted', 'discarded'] as const
const answers = fc.uniqueArray(
  fc.record({ user_id: fc.constantFrom('a', 'b', 'c', 'd'), status: fc.constantFrom(...statuses) }),
  {
    selector: ({ user_id }) => user_id,
  },
)
const extras = fc.integer({ min: 0, max: 2 })
const submittedOf = (list: readonly Answered[]) => list.filter(({ status }) => status === 'submitted').length

it('counts a change between any two states like a full recount', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(answers, answers, extras, extras)), fc.integer({ min: 1, max: 3 }), (records, min) => {
      const moved = new Tally()
      const recounted = new Tally()
      for (const [before, after, extra, more] of records) {
        const [from, to] = [recordStatus(submittedOf(before), min, extra), recordStatus(submittedOf(after), min, more)]
        moved.addRecord(from, 1, extra)
        for (const answered of before) moved.addAnswer(answered, from, 1)
        moved.addChange({ status: from, extra, answers: before }, { status: to, extra: more, answers: after })
        recounted.addRecord(to, 1, more)
        for (const answered of after) recounted.addAnswer(answered, to, 1)
      }
      expect(moved.users()).toEqual(recounted.users())
      expect(moved.records()).toEqual(recounted.records())
    }),
  )
})

it('sorts counters by key, so that concurrent commands can’t deadlock', () => {
  const tally = new Tally()
  for (const user_id of ['c', 'a', 'b']) tally.addAnswer({ user_id, status: 'draft' }, 'pending', 1)
  tally.addAnswer({ user_id: 'a', status: 'draft' }, 'completed', 1)
  tally.addAnswer({ user_id: 'b', status: 'draft' }, 'pending', -1)
  expect(tally.users().map(({ user_id, record_status }) => `${user_id} ${record_status}`)).toEqual([
    'a completed',
    'a pending',
    'c pending',
  ])
})

it.each([
  [null, 'submitted', 1],
  ['draft', 'submitted', 1],
  ['submitted', 'submitted', 0],
  ['submitted', null, -1],
  ['submitted', 'discarded', -1],
  ['draft', null, 0],
] as const)('a change from %s to %s changes the number of submitted answers by %i', (from, to, delta) => {
  expect(submittedDelta(from, to)).toBe(delta)
})
