import { emptyStore } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { readConfig } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { startBackground } from './background.ts'
import type { RemoteControl } from './kinds.ts'
import { cancelJob, findJob } from './operations.ts'
import { allJobs, enqueue, longWork, remoteCounting } from './testing/operations.ts'

const settings = readConfig({})
if (!settings.ok) throw new Error(settings.problems.join())
const { config } = settings
const log = { error: () => undefined, warn: () => undefined }
let store: Store
let drop: () => Promise<void>
beforeAll(async () => {
  const opened = await emptyStore({ operations: new URL('./testing/operations.ts', import.meta.url).href })
  store = opened.store
  drop = opened.drop
})
afterAll(() => drop())
beforeEach(() => {
  remoteCounting.ended = 0
})

/**
 * Starts the processing of jobs. A process claims a job for only 600 ms at a time, so a preparation takes longer than one claim.
 */
const start = () =>
  startBackground({ store, log, config, secrets: createSecrets('a secret of the tests') }, { pollMs: 10, holdMs: 600 })
const jobOf = async (id: string) => (await store.read(allJobs, {})).find((job) => job.id === id)
const until = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 10_000, interval: 100 })

/** A preparation that runs until the test ends it. */
const waiting = () => {
  const done = Promise.withResolvers<string>()
  const calls: RemoteControl[] = []
  remoteCounting.prepare = (away) => {
    calls.push(away)
    away.signal.addEventListener('abort', () => done.reject(new Error('ended from outside')))
    return done.promise
  }
  return { ...done, calls }
}

describe('a job that waits for other machines', () => {
  it('stays with its process, reports progress and delays no other job', async () => {
    const { calls, resolve } = waiting()
    const id = await store.write(enqueue, { kind: 'test.remote', args: {}, sealed: 'v1.x' })
    const runners = [start(), start()]
    await until(async () => expect(calls).toHaveLength(1))
    calls[0]?.reportProgress(3, 7)
    await until(async () => expect(await store.read(findJob, { id })).toMatchObject({ done: 3, total: 7, state: 'started' }))
    const otherJob = await store.write(enqueue, { kind: 'test.count', args: { name: 'quick', to: 3 } })
    await until(async () => expect((await jobOf(otherJob))?.state).toBe('finished'))
    const before = (await jobOf(id))?.available_at ?? 0
    await until(async () => expect((await jobOf(id))?.available_at).toBeGreaterThan(before + 1_200_000))
    expect(calls).toHaveLength(1)
    expect((await jobOf(id))?.sealed).toBe('v1.x')
    resolve('came')
    await until(async () =>
      expect(await jobOf(id)).toMatchObject({ state: 'finished', args: { input: 'came' }, done: 7, attempts: 0, sealed: null }),
    )
    await until(async () => expect(remoteCounting.ended).toBe(1))
    await Promise.all(runners.map((runner) => runner.stop()))
  })

  it('ends its preparation when it is canceled', async () => {
    const { calls } = waiting()
    const id = await store.write(enqueue, { kind: 'test.remote', args: {}, sealed: 'v1.x' })
    const runner = start()
    await until(async () => expect(calls).toHaveLength(1))
    await store.write(cancelJob, { id })
    await until(async () => expect(calls[0]?.signal.aborted).toBe(true))
    await until(async () => expect(remoteCounting.ended).toBe(1))
    await runner.stop()
    expect(await jobOf(id)).toMatchObject({ state: 'canceled', sealed: null, reason: null })
  })

  it('returns to the queue without counting as failed when the process stops', async () => {
    const { calls } = waiting()
    const id = await store.write(enqueue, { kind: 'test.remote', args: {}, sealed: 'v1.x' })
    const runner = start()
    await until(async () => expect(calls).toHaveLength(1))
    await runner.stop()
    expect(await jobOf(id)).toMatchObject({ state: 'queued', sealed: 'v1.x', attempts: 0, reason: null })
    remoteCounting.prepare = async () => 'later'
    const next = start()
    await until(async () => expect(await jobOf(id)).toMatchObject({ state: 'finished', args: { input: 'later' } }))
    await next.stop()
  })

  it('blocks no other job if it runs for hours, neither of its user nor of others', async () => {
    remoteCounting.prepare = async () => 'came'
    const user_id = crypto.randomUUID()
    const add = (kind: 'test.long' | 'test.remote', more: object = {}) => store.write(enqueue, { kind, args: {}, ...more })
    const ids = [await add('test.long', { user_id }), await add('test.long', { user_id }), await add('test.long', { user_id })]
    for (let i = 0; i < 4; i += 1) ids.push(await add('test.long'))
    const runner = start()
    // At most two jobs of one person run, and at most four jobs altogether.
    await until(async () => expect(longWork.calls).toHaveLength(4))
    const local = await store.write(enqueue, { kind: 'test.count', args: { name: 'quick', to: 3 }, user_id })
    const others = [await add('test.remote', { user_id }), await add('test.remote')]
    for (const id of [local, ...others]) await until(async () => expect((await jobOf(id))?.state).toBe('finished'))
    expect(longWork.calls).toHaveLength(4)
    expect(longWork.calls.filter((id) => ids.slice(0, 3).includes(id)).length).toBeLessThanOrEqual(2)
    longWork.end.resolve()
    for (const id of ids) await until(async () => expect((await jobOf(id))?.state).toBe('finished'))
    await runner.stop()
  })

  it('is retried later if its preparation fails', async () => {
    remoteCounting.prepare = async () => {
      throw new Error('the far side is away')
    }
    const id = await store.write(enqueue, { kind: 'test.remote', args: {} })
    const runner = start()
    await until(async () => expect(await jobOf(id)).toMatchObject({ state: 'scheduled', attempts: 1 }))
    await runner.stop()
    expect((await jobOf(id))?.reason).toContain(id)
  })
})
