import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { readConfig } from '#platform/config/read-config.ts'
import { latestTime, startAfter } from '#platform/db/latest-time.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { startBackground } from './background.ts'
import { findJob, takeJobs } from './operations.ts'
import { addEvent, enqueue, eventDue, setAhead, setBackReader, setBackWriter, takeEvents } from './testing/operations.ts'

const SECOND = 1_000_000
const HOUR = 3_600 * SECOND
const settings = readConfig({})
if (!settings.ok) throw new Error(settings.problems.join())
const { config } = settings
const log = { error: () => undefined, warn: () => undefined }

let place: Awaited<ReturnType<typeof emptyPlace>>
let store: Store
const open = () =>
  openStore({
    dataDir: place.folder,
    databaseUrl: place.url,
    operations: new URL('./testing/operations.ts', import.meta.url).href,
    exclusive: true,
  })
beforeAll(async () => {
  place = await emptyPlace()
  store = await open()
})
afterAll(async () => {
  await store.close()
  await place.drop()
})

const setBack = async (ms: number) => {
  await store.write(setBackWriter, { ms })
  await store.read(setBackReader, { ms })
}
const enqueued = () => store.write(enqueue, { kind: 'test.count', args: { name: crypto.randomUUID(), to: 1 } })
/** Runs due work until the job has ended. */
const finish = async (id: string) => {
  const runner = startBackground({ store, log, config, secrets: createSecrets('a secret of the tests') }, { pollMs: 10 })
  const ended = async () => expect((await store.read(findJob, { id }))?.state).toBe('finished')
  await vi.waitFor(ended, { timeout: 10_000 }).finally(() => runner.stop())
}

it('runs due work after the clock was set back by an hour', async () => {
  const id = await enqueued()
  expect(await store.write(takeJobs, { kinds: ['test.count'], limit: 1, hold: SECOND })).toHaveLength(1)
  await setBack(HOUR / 1000)
  try {
    const event = { webhook_id: crypto.randomUUID(), subject_id: crypto.randomUUID() }
    await store.write(addEvent, event)
    const isDue = async () => expect(await store.read(eventDue, event)).toBe(true)
    await vi.waitFor(isDue, { timeout: 10_000 })
    expect(await store.write(takeEvents, { ...event, limit: 1, hold: SECOND })).toHaveLength(1)
    await vi.waitFor(isDue, { timeout: 10_000 })
    await finish(id)
  } finally {
    await setBack(0)
  }
})

it('continues the work of a killed process whose clock was ahead', async () => {
  const id = await enqueued()
  // Other tests in this process continue from this time.
  await store.write(setAhead, { ahead: 20 * SECOND })
  await store.close()
  store = await open()
  if (place.url !== undefined) startAfter(await store.read(latestTime, null))
  await finish(id)
})
