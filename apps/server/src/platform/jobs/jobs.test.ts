import { emptyStore } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { readConfig } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { startBackground } from './background.ts'
import { startStepTimer } from './kinds.ts'
import { findJob, forgetJobs, recordFailure, releaseJobs, takeJobs } from './operations.ts'
import {
  addEvent,
  advanceClock,
  allJobs,
  claim,
  counted,
  counting,
  dropAll,
  dueNow,
  enqueue,
  makeDue,
  seen,
  settle,
  takeEvents,
} from './testing/operations.ts'

const SECOND = 1_000_000
const kinds = ['test.count', 'test.fail']
let store: Store
const settings = readConfig({})
if (!settings.ok) throw new Error(settings.problems.join())
const { config } = settings
const secrets = createSecrets('a secret of the tests')
const stateOf = async (id: string) => (await store.read(findJob, { id }))?.state
let drop: () => Promise<void>
const logged: string[] = []
const log = {
  error: (_: object, message: string) => void logged.push(message),
  warn: (_: object, message: string) => void logged.push(message),
}

beforeAll(async () => {
  const opened = await emptyStore({ operations: new URL('./testing/operations.ts', import.meta.url).href })
  store = opened.store
  drop = opened.drop
})
afterAll(() => drop())

/** Deletes the jobs that earlier tests left behind. */
beforeEach(() => store.write(dropAll, {}))

const jobOf = async (id: string) => (await store.read(allJobs, {})).find((job) => job.id === id)
const countOf = async (name: string) => (await store.read(counted, {})).find((row) => row.name === name)?.n ?? 0
const take = (limit = 10, hold = 60 * SECOND) => store.write(takeJobs, { kinds, limit, hold })

describe('taking jobs', () => {
  it('gives each job to one process until its lease expires', async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => store.write(enqueue, { kind: 'test.count', args: { name: 'taken', to: 1 } })),
    )
    const taken = (await Promise.all(Array.from({ length: 6 }, () => take(3)))).flat()
    const rest = await take(100)
    const all = [...taken, ...rest].map(({ id }) => id)
    expect(all.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort())
    expect(new Set(all).size).toBe(all.length)
    expect(await take(100)).toEqual([])
  })

  it('refuses a step from a process whose lease expired', async () => {
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'slow', to: 5 } })
    const slow = (await take(100, 1)).find((job) => job.id === id)
    const quick = (await take(100)).find((job) => job.id === id)
    if (slow === undefined || quick === undefined) throw new Error('nothing to take')
    expect(await store.write(counting.step, { id, until: slow.until, hold: SECOND })).toEqual({ state: 'lost' })
    const first = await store.write(counting.step, { id, until: quick.until, hold: SECOND })
    expect(first).toMatchObject({ state: 'started' })
    expect(await store.write(counting.step, { id, until: quick.until, hold: SECOND })).toEqual({ state: 'lost' })
    expect(await countOf('slow')).toBe(1)
  })

  it('makes new and released jobs due immediately for processes whose clock is behind the last written time', async () => {
    await store.write(makeDue, { micros: 2 * SECOND })
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'ahead', to: 5 } })
    const isDue = async () => Number((await jobOf(id))?.available_at) <= Date.now() * 1000
    expect(await isDue()).toBe(true)
    const held = await take()
    expect(await isDue()).toBe(false)
    await store.write(releaseJobs, { held })
    expect(await isDue()).toBe(true)
  })

  it('releases a job immediately on request', async () => {
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'back', to: 5 } })
    await store.write(releaseJobs, { held: await take() })
    expect((await take()).map((job) => job.id)).toContain(id)
  })

  it('gives up a job that was taken repeatedly without a successful step', async () => {
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'never', to: 5 } })
    for (let i = 0; i < 4; i += 1) {
      expect((await take()).map((job) => job.id)).toContain(id)
      await store.write(advanceClock, { age: 0 })
    }
    expect((await take()).map((job) => job.id)).not.toContain(id)
    expect(await jobOf(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('interrupted') })
  })

  it('retries a failing job later, for four attempts in total', async () => {
    const id = await store.write(enqueue, { kind: 'test.fail', args: {} })
    const states: unknown[] = []
    for (let i = 0; i < 4; i += 1) {
      const held = (await take()).find((job) => job.id === id)
      if (held === undefined) throw new Error('not to be taken')
      states.push(await store.write(recordFailure, { ...held, reason: 'no luck' }))
      expect((await take()).map((job) => job.id)).not.toContain(id)
      await store.write(advanceClock, { age: 0 })
    }
    expect(states).toEqual(['scheduled', 'scheduled', 'scheduled', 'failed'])
    expect(await jobOf(id)).toMatchObject({ state: 'failed', reason: 'no luck' })
  })
})

it('keeps retrying a job as long as there is no room for it', async () => {
  const id = await store.write(enqueue, { kind: 'test.fail', args: {} })
  for (let i = 0; i < 8; i += 1) {
    const held = (await take()).find((job) => job.id === id)
    if (held === undefined) throw new Error('not to be taken')
    expect(await store.write(recordFailure, { ...held, reason: 'no room', keepsAttempts: true })).toBe('scheduled')
    await store.write(advanceClock, { age: 0 })
  }
  expect(await jobOf(id)).toMatchObject({ state: 'scheduled', reason: 'no room' })
})

describe('the runner', () => {
  it('runs every step once, alternates between jobs and reports progress', async () => {
    const [long, short] = ['long', 'short']
    const first = await store.write(enqueue, { kind: 'test.count', args: { name: long, to: 40 } })
    const second = await store.write(enqueue, { kind: 'test.count', args: { name: short, to: 3 } })
    const runners = [
      startBackground({ store, log, config, secrets }, { pollMs: 10 }),
      startBackground({ store, log, config, secrets }, { pollMs: 10 }),
    ]
    await vi.waitFor(async () => expect(await stateOf(second)).toBe('finished'), { timeout: 10_000 })
    await vi.waitFor(async () => expect(await stateOf(first)).toBe('finished'), { timeout: 10_000 })
    await Promise.all(runners.map((runner) => runner.stop()))
    expect([await countOf(long), await countOf(short)]).toEqual([40, 3])
    expect(await jobOf(first)).toMatchObject({ done: 40, attempts: 0 })
  })

  it('stops between two steps and leaves the rest to the next runner', async () => {
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'paused', to: 300 } })
    const first = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    await vi.waitFor(async () => expect(await countOf('paused')).toBeGreaterThan(2), { timeout: 10_000 })
    await first.stop()
    const before = await countOf('paused')
    expect(await jobOf(id)).toMatchObject({ state: 'queued', done: before })
    expect(before).toBeLessThan(300)
    const second = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('finished'), { timeout: 20_000 })
    await second.stop()
    expect(await countOf('paused')).toBe(300)
  })

  it('prepares a step while the previous one is stored, and prepares it again if that failed', async () => {
    seen.prepared.length = 0
    const id = await store.write(enqueue, { kind: 'test.ahead', args: { to: 3 } })
    const runner = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('finished'), { timeout: 10_000 })
    expect(seen.prepared.slice(0, 3)).toEqual(['1', '2 ahead', '3 ahead'])
    seen.prepared.length = 0
    seen.failPrepareNext = true
    const other = await store.write(enqueue, { kind: 'test.ahead', args: { to: 3 } })
    await vi.waitFor(async () => expect(await stateOf(other)).toBe('finished'), { timeout: 10_000 })
    await runner.stop()
    expect(seen.prepared.slice(0, 3)).toEqual(['1', '2', '3 ahead'])
    expect(await jobOf(other)).toMatchObject({ done: 3, reason: expect.stringContaining(other) })
  })

  it('keeps steps of low-priority jobs short while people use the server', async () => {
    const worked: unknown[] = []
    for (const isHere of [true, false]) {
      const runner = startBackground({ store, log, config, secrets }, { pollMs: 10, isInUse: () => isHere })
      const id = await store.write(enqueue, { kind: 'test.gentle', args: {} })
      await vi.waitFor(async () => expect(await stateOf(id)).toBe('finished'), { timeout: 10_000 })
      await runner.stop()
      worked.push((await store.read(findJob, { id }))?.args.ms)
    }
    expect(worked).toEqual([1, 30])
  })

  it.each(['test.count', 'test.ahead'] as const)(
    'gives waiting jobs a turn, however long earlier jobs take (%s)',
    async (kind) => {
      const runner = startBackground({ store, log, config, secrets }, { pollMs: 10, turnMs: 20 })
      const names = Array.from({ length: 6 }, (_, i) => `long ${kind} ${i}`)
      const long = await Promise.all(names.map((name) => store.write(enqueue, { kind, args: { name, to: 1_000_000 } })))
      const short = await store.write(enqueue, { kind: 'test.count', args: { name: `waits for ${kind}`, to: 3 } })
      await vi.waitFor(async () => expect(await stateOf(short)).toBe('finished'), { timeout: 20_000 })
      const began = async () => (await Promise.all(long.map(jobOf))).every((job) => Number(job?.done) > 0)
      await vi.waitFor(async () => expect(await began()).toBe(true), { timeout: 20_000 })
      await runner.stop()
      const rest = await Promise.all(long.map(jobOf))
      expect(rest.map((job) => [job?.state, job?.reason])).toEqual(long.map(() => ['queued', null]))
      if (kind === 'test.count') expect(await Promise.all(names.map(countOf))).toEqual(rest.map((job) => job?.done))
    },
  )

  it('runs a job that someone waits for alongside any number of low-priority jobs', async () => {
    const runner = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    const slow = await Promise.all(
      Array.from({ length: 6 }, () => store.write(enqueue, { kind: 'test.gentle', args: { to: 10_000 } })),
    )
    const working = async () =>
      (await Promise.all(slow.map(jobOf))).filter((job) => job?.state === 'started' && job.done > 0).length
    await vi.waitFor(async () => expect(await working()).toBe(4), { timeout: 10_000 })
    const wanted = await store.write(enqueue, { kind: 'test.count', args: { name: 'wanted', to: 20 } })
    await vi.waitFor(async () => expect(await stateOf(wanted)).toBe('finished'), { timeout: 10_000 })
    expect(await working()).toBe(4)
    await runner.stop()
    expect((await Promise.all(slow.map(stateOf))).every((state) => state === 'queued')).toBe(true)
  })

  it('logs a failing step and continues with other jobs', async () => {
    logged.length = 0
    const broken = await store.write(enqueue, { kind: 'test.fail', args: {} })
    const sound = await store.write(enqueue, { kind: 'test.count', args: { name: 'beside', to: 2 } })
    const runner = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    await vi.waitFor(async () => expect(await stateOf(sound)).toBe('finished'), { timeout: 10_000 })
    await runner.stop()
    expect(await jobOf(broken)).toMatchObject({ state: 'scheduled', reason: expect.stringContaining(broken) })
    expect(logged).toEqual(['a step of a background job failed'])
  })

  it('removes a job a day after it ended', async () => {
    const id = await store.write(enqueue, { kind: 'test.count', args: { name: 'old', to: 1 } })
    const runner = startBackground({ store, log, config, secrets }, { pollMs: 10 })
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('finished'), { timeout: 10_000 })
    await runner.stop()
    await store.write(advanceClock, { age: 86_000 * SECOND })
    await store.write(forgetJobs, {})
    expect(await stateOf(id)).toBe('finished')
    await store.write(advanceClock, { age: 87_000 * SECOND })
    await store.write(forgetJobs, {})
    expect(await store.read(findJob, { id })).toBeNull()
  })

  it("keeps the server's own failed jobs and restarts them after a day", async () => {
    const [own, asked] = await Promise.all([
      store.write(enqueue, { kind: 'test.fail', args: {} }),
      store.write(enqueue, { kind: 'test.fail', args: {}, user_id: crypto.randomUUID() }),
    ])
    for (let attempt = 1; attempt <= 4; attempt++) {
      await store.write(advanceClock, { age: 86_000 * SECOND })
      for (const held of await take()) await store.write(recordFailure, { ...held, reason: 'broken on purpose' })
    }
    await store.write(forgetJobs, {})
    expect([await stateOf(own), await stateOf(asked)]).toEqual(['failed', 'failed'])
    await store.write(advanceClock, { age: 87_000 * SECOND })
    await store.write(forgetJobs, {})
    expect(await store.read(findJob, { id: own })).toMatchObject({ state: 'queued', reason: null })
    expect(await store.read(findJob, { id: asked })).toBeNull()
    expect((await take()).map(({ id }) => id)).toEqual([own])
  })
})

describe('taking events', () => {
  const takeAll = (webhook_id: string) => store.write(takeEvents, { webhook_id, limit: 100, hold: 60 * SECOND })

  it('keeps the order of events per webhook and record, whichever process takes them', async () => {
    const [hook, record, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const first = await store.write(addEvent, { webhook_id: hook, subject_id: record })
    const second = await store.write(addEvent, { webhook_id: hook, subject_id: record })
    const otherEvent = await store.write(addEvent, { webhook_id: hook, subject_id: other })
    const taken = (await Promise.all([takeAll(hook), takeAll(hook)])).flat()
    expect(taken.map(({ id }) => id).sort()).toEqual([first, otherEvent].sort())
    const held = taken.find(({ id }) => id === first)
    if (held === undefined) throw new Error('not taken')
    expect(await store.write(settle, { held: { ...held, until: held.until - 1 }, to: { state: 'delivered' } })).toBe(false)
    expect(await store.write(settle, { held, to: { state: 'delivered' } })).toBe(true)
    expect((await takeAll(hook)).map(({ id }) => id)).toEqual([second])
  })

  it('makes events due immediately for processes whose clock is behind the last written time', async () => {
    await store.write(makeDue, { micros: 2 * SECOND })
    const event = { webhook_id: crypto.randomUUID(), subject_id: crypto.randomUUID() }
    const id = await store.write(addEvent, event)
    expect(await store.read(dueNow, event)).toEqual([{ dataset_no: 1, id }])
  })

  it('claims an event only once, although several processes see that it is due', async () => {
    const event = { webhook_id: crypto.randomUUID(), subject_id: crypto.randomUUID() }
    const id = await store.write(addEvent, event)
    const seen = await Promise.all([store.read(dueNow, event), store.read(dueNow, event), store.read(dueNow, event)])
    expect(seen).toEqual(Array(3).fill([{ dataset_no: 1, id }]))
    const claims = seen.map(() => store.write(claim, { dataset_no: 1, ids: [id], hold: 60 * SECOND }))
    expect((await Promise.all(claims)).flat()).toMatchObject([{ dataset_no: 1, id }])
    expect(await store.read(dueNow, event)).toEqual([])
  })

  it('follows the write order even if process clocks differ', async () => {
    const event = { webhook_id: crypto.randomUUID(), subject_id: crypto.randomUUID() }
    const ahead = await store.write(addEvent, { ...event, id: 'ffffffff-ffff-7fff-8fff-000000000001' })
    const behind = await store.write(addEvent, { ...event, id: '00000000-0000-7000-8000-000000000001' })
    for (const id of [ahead, behind]) {
      const [held, ...more] = await takeAll(event.webhook_id)
      expect([held?.id, more]).toEqual([id, []])
      if (held !== undefined) await store.write(settle, { held, to: { state: 'delivered' } })
    }
  })

  it('takes an event again after it was released or its lease expired', async () => {
    const event = { webhook_id: crypto.randomUUID(), subject_id: crypto.randomUUID() }
    const id = await store.write(addEvent, event)
    const [lost] = await store.write(takeEvents, { webhook_id: event.webhook_id, limit: 100, hold: 1 })
    const [held] = await takeAll(event.webhook_id)
    if (lost === undefined || held === undefined) throw new Error('not taken')
    expect([lost.id, held.id]).toEqual([id, id])
    expect(await store.write(settle, { held: lost, to: { state: 'given_up' } })).toBe(false)
    expect(await store.write(settle, { held, to: { state: 'waiting', available_at: 1 } })).toBe(true)
    expect((await takeAll(event.webhook_id)).map((one) => one.id)).toEqual([id])
  })
})

it('lets each step do some work, even if its time is used up before', () => {
  const hasTime = startStepTimer(0)
  expect([hasTime(), hasTime()]).toEqual([true, false])
})
