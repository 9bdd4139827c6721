import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRenewal } from './lease-renewal.ts'
import { setUp } from './testing/lease-server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Person = ReturnType<ReturnType<typeof setUp>['join']>
const start = ({ queue, renew }: Person, { isVisible = true, keepsLost = false } = {}) =>
  startRenewal({ list: queue, renewRecords: renew, isVisible: () => isVisible, lifetime: () => 900_000, keepsLost })
/** Waits until requests have been answered. */
const settle = () => vi.advanceTimersByTimeAsync(0)

test('a viewed record is renewed before its lease ends, whatever lifetime the server reported', async () => {
  const person = setUp(1).join()
  const renewal = start(person)
  await person.queue.open()
  await vi.advanceTimersByTimeAsync(89_000)
  expect(person.renewals).toEqual([
    { ids: ['r000'], purpose: 'view' },
    { ids: ['r000'], purpose: 'view' },
  ])
  renewal.stop()
})

test('an edited record is reserved again after its answer was taken back', async () => {
  const { join, holderOf } = setUp(3)
  const person = join()
  await person.queue.open()
  person.edit('r000')
  await settle()
  await person.answer()
  person.send()()
  expect([holderOf('r000'), person.queue.leasedIds().includes('r000')]).toEqual([null, false])
  person.undo('r000')
  person.edit('r000')
  await settle()
  expect([holderOf('r000'), person.queue.leasedIds().includes('r000')]).toEqual([person.queue, true])
})

test.each([true, false])(
  'an edited record that someone else had is reserved when it is free (visible: %s)',
  async (isVisible) => {
    const { join, holdElsewhere, releaseRecord, holderOf } = setUp(3)
    const person = join()
    await person.queue.open()
    holdElsewhere('r000')
    person.edit('r000')
    await settle()
    const renewal = start(person, { isVisible })
    await renewal.renew(true)
    expect([person.shown(), person.queue.leasedIds().includes('r000')]).toEqual(['r000', false])
    releaseRecord('r000')
    await renewal.renew()
    expect([holderOf('r000'), person.queue.leasedIds().includes('r000')]).toEqual([person.queue, true])
    renewal.stop()
  },
)

test('edits from an earlier visit reserve their record', async () => {
  const { join } = setUp(3)
  const person = join()
  person.edited.add('r000')
  await person.queue.open()
  const renewal = start(person, { isVisible: false })
  await renewal.renew()
  expect(person.renewals).toEqual([{ ids: ['r000'], purpose: 'work' }])
  renewal.stop()
})

test('a renewal that fails reserves nothing', async () => {
  const { join, holdElsewhere, setDown } = setUp(3)
  const person = join()
  await person.queue.open()
  holdElsewhere('r000')
  person.edit('r000')
  await settle()
  const renewal = start(person)
  setDown(true)
  await renewal.renew()
  expect(person.queue.leasedIds()).not.toContain('r000')
  renewal.stop()
})

test('a record that is skipped while it is acquired is released', async () => {
  const { join, holderOf, setInFlightWork } = setUp(3)
  const person = join()
  await person.queue.open()
  setInFlightWork(async () => {
    setInFlightWork(null)
    person.edited.delete('r000')
    person.queue.next()
  })
  person.edit('r000')
  await settle()
  expect([holderOf('r000'), person.queue.leasedIds().includes('r000')]).toEqual([null, false])
})

test('a record whose answer is confirmed while it is acquired needs no release', async () => {
  const { join, setInFlightWork } = setUp(3)
  const person = join()
  await person.queue.open()
  setInFlightWork(async () => {
    setInFlightWork(null)
    await person.answer()
    person.send()()
  })
  person.edit('r000')
  await settle()
  expect([person.released.includes('r000'), person.queue.leasedIds().includes('r000')]).toEqual([false, false])
})

test('an answered record stays reserved for work until its answer is sent, even when the list is left', async () => {
  const { join, holderOf } = setUp(3)
  const person = join()
  await person.queue.open()
  await person.answer()
  expect(person.queue.viewIds()).not.toContain('r000')
  const renewal = start(person)
  await renewal.renew()
  expect(person.renewals[0]).toEqual({ ids: ['r000'], purpose: 'work' })
  renewal.stop()
  person.queue.release()
  expect([holderOf('r000'), holderOf('r001')]).toEqual([person.queue, null])
})

test.each([
  { keepsLost: true, shown: ['r000', 'r001'] },
  { keepsLost: false, shown: ['r001', 'r002'] },
])('records whose leases are lost stay for people who look without leases: $keepsLost', async ({ keepsLost, shown }) => {
  const { join, holdElsewhere } = setUp(12)
  const person = join()
  await person.queue.open()
  holdElsewhere('r000')
  const renewal = start(person, { keepsLost })
  await renewal.renew(true)
  expect(person.queue.leasedIds()).not.toContain('r000')
  expect([await person.answer(), person.shown()]).toEqual(shown)
  renewal.stop()
})
