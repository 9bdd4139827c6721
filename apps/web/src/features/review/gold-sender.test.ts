import type { Gold } from '@postil/contract/gold.ts'
import type { GoldInput } from '@postil/contract/review.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import type { SentValues } from './decisions.ts'
import { createGoldSender } from './gold-sender.ts'

const valuesOf = (value: string): SentValues => ({ q: { value, source: 'adjudicated', reason: null, note: null } })
const by = { id: 'ben', username: 'ben' }
const goldOf = (value: string, version: number): Gold => ({
  record_id: 'r',
  values: { q: { value, source: 'adjudicated', reason: null, note: null, by, at: '' } },
  final: true,
  stale: false,
  version,
  by,
  updated_at: '',
})
const change = (value: string, base: number | null = null) => ({
  recordId: 'r',
  title: 'ticket-1',
  values: valuesOf(value),
  base,
})

/** Sets up a sender and a server that sends the given responses in order. */
const setUp = (...responses: readonly (Gold | ApiError | Error)[]) => {
  const sent: GoldInput[] = []
  const confirmed: Gold[] = []
  const conflicts: string[] = []
  const lost: string[] = []
  const queue = [...responses]
  const sender = createGoldSender({
    put: async (_, body) => {
      sent.push(body)
      const response = queue.shift()
      if (response === undefined) throw new ApiError(0, undefined)
      if (response instanceof Error) throw response
      return response
    },
    onConfirmed: (gold) => confirmed.push(gold),
    onConflict: (id) => conflicts.push(id),
    onLost: ({ title }) => lost.push(title),
    random: () => 1,
  })
  return { sender, sent, confirmed, conflicts, lost }
}
const states = (sender: ReturnType<typeof createGoldSender>) => sender.snapshot().map(({ state }) => state.kind)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('final answers are unsent until the server confirms them', async () => {
  const { sender, sent, confirmed } = setUp(goldOf('a', 1))
  sender.send(change('a'))
  expect(states(sender)).toEqual(['sending'])
  expect(sender.latestOf('r')).toEqual(valuesOf('a'))
  await vi.runAllTimersAsync()
  expect(sender.snapshot()).toEqual([])
  expect(confirmed.map(({ version }) => version)).toEqual([1])
  expect(sent).toMatchObject([{ base_version: null, values: valuesOf('a'), final: true }])
})

test('a failed request is repeated with the same mutation ID', async () => {
  const { sender, sent } = setUp(
    new ApiError(0, undefined),
    new Error('aborted'),
    new ApiError(503, undefined, 5),
    goldOf('a', 1),
  )
  sender.send(change('a'))
  await vi.advanceTimersByTimeAsync(0)
  expect(states(sender)).toEqual(['waiting'])
  sender.retry('r')
  await vi.runAllTimersAsync()
  expect(sent).toHaveLength(4)
  expect(new Set(sent.map(({ mutation_id }) => mutation_id)).size).toBe(1)
  expect(sender.snapshot()).toEqual([])
})

test('a change during a request follows it, based on its result', async () => {
  const { sender, sent, confirmed } = setUp(goldOf('a', 7), goldOf('b', 8))
  sender.send(change('a'))
  sender.send(change('b'))
  expect(sender.latestOf('r')).toEqual(valuesOf('b'))
  await vi.runAllTimersAsync()
  expect(sent.map(({ base_version, values }) => [base_version, values['q']?.value])).toEqual([
    [null, 'a'],
    [7, 'b'],
  ])
  expect(new Set(sent.map(({ mutation_id }) => mutation_id)).size).toBe(2)
  expect(confirmed.map(({ version }) => version)).toEqual([7, 8])
})

describe('a conflict', () => {
  test('is kept with the current final answers until the reviewer decides', async () => {
    const { sender, sent, conflicts } = setUp(new ApiError(409, { gold: goldOf('b', 2) }), goldOf('a', 3))
    sender.send(change('a'))
    await vi.runAllTimersAsync()
    expect(sender.snapshot()).toMatchObject([{ state: { kind: 'conflict', current: { version: 2 } } }])
    expect(conflicts).toEqual(['r'])
    sender.retryAll()
    expect(sent).toHaveLength(1)
    sender.send(change('a', 2))
    await vi.runAllTimersAsync()
    expect(sent[1]).toMatchObject({ base_version: 2 })
    expect(sent[1]?.mutation_id).not.toBe(sent[0]?.mutation_id)
    expect(sender.snapshot()).toEqual([])
  })
  test('is none if the current final answers are the same', async () => {
    const { sender, confirmed } = setUp(new ApiError(409, { gold: goldOf('a', 2) }))
    sender.send(change('a'))
    await vi.runAllTimersAsync()
    expect(sender.snapshot()).toEqual([])
    expect(confirmed.map(({ version }) => version)).toEqual([2])
  })
})

test('refused final answers are kept until they are sent again or dropped', async () => {
  const { sender, sent } = setUp(new ApiError(422, { detail: 'no' }), new ApiError(404, { detail: 'gone' }))
  sender.send(change('a'))
  await vi.runAllTimersAsync()
  expect(states(sender)).toEqual(['rejected'])
  sender.retry('r')
  await vi.runAllTimersAsync()
  expect([sent.length, states(sender)]).toEqual([2, ['rejected']])
  sender.drop('r')
  expect(sender.snapshot()).toEqual([])
})

test('refused final answers make way for later ones', async () => {
  const { sender, sent } = setUp(new ApiError(422, { detail: 'no' }), goldOf('b', 1))
  sender.send(change('a'))
  sender.send(change('b'))
  await vi.runAllTimersAsync()
  expect(sent.map(({ base_version, values }) => [base_version, values['q']?.value])).toEqual([
    [null, 'a'],
    [null, 'b'],
  ])
  expect(sender.snapshot()).toEqual([])
})

test('after the end of the session nothing is sent, and the final answers can be restored', async () => {
  const { sender, sent } = setUp(new ApiError(401, undefined))
  sender.send(change('a'))
  await vi.runAllTimersAsync()
  expect(sent).toHaveLength(1)
  const kept = JSON.parse(JSON.stringify(sender.snapshot()))
  const later = setUp(goldOf('a', 1))
  later.sender.restore(kept)
  await vi.runAllTimersAsync()
  expect(later.sent[0]?.mutation_id).toBe(sent[0]?.mutation_id)
  expect(later.sender.snapshot()).toEqual([])
})

test('a stopped sender sends nothing more, and reports a request that fails', async () => {
  const { sender, sent, lost } = setUp(new ApiError(0, undefined))
  sender.send(change('a'))
  await vi.advanceTimersByTimeAsync(0)
  sender.stop()
  await vi.runAllTimersAsync()
  expect([sent.length, lost]).toEqual([1, []])
  const later = setUp(new ApiError(0, undefined))
  later.sender.send(change('a'))
  later.sender.stop()
  await vi.runAllTimersAsync()
  expect([later.sent.length, later.lost]).toEqual([1, ['ticket-1']])
})
