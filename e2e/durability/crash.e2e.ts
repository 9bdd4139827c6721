import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@postil/testkit/client.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { testEngine } from '#harness/server.ts'
import { serverPerTest } from '#harness/server-per-test.ts'
import { countConfirmed, expectConfirmedAnswers, owner, repeatUnsure, runWriters, seedDataset, seedWriters } from './fixtures.ts'
import { countDatasetRows } from './inspect.ts'

const KILLS = scaled(5, 20)
const MAX_KILLS = 5 * KILLS

const target = serverPerTest()

it(`keeps every confirmed answer when the server is killed at any moment, ${KILLS} times`, async () => {
  const { dataset, writers } = await seedWriters(target.server)
  const isEnough = (): boolean => countConfirmed(writers) > KILLS * writers.length
  // On a slow machine, few answers are confirmed before a kill, so more kills are needed.
  for (let round = 0; round < KILLS || (!isEnough() && round < MAX_KILLS); round += 1) {
    await repeatUnsure(target.server, writers)
    const killed = new AbortController()
    const working = runWriters(target.server, writers, killed.signal)
    await Promise.race([pause(randomInt(20, 500)), working])
    const dead = target.server.kill()
    killed.abort()
    await Promise.all([working, dead])
    await target.restart()
    await expectConfirmedAnswers(target.server, dataset.id, writers)
  }
  // Ensures that enough answers were confirmed to make the test meaningful.
  expect(countConfirmed(writers)).toBeGreaterThan(KILLS * writers.length)
})

it('resumes purging a deleted dataset after a kill', async () => {
  const { dataset } = await seedDataset(target.server, 3_000)
  await createClient(target.server.url, owner).delete(`/datasets/${dataset.id}`)
  await vi.waitFor(async () => expect((await countDatasetRows(target.place, dataset.id)).records).toBeLessThan(3_000), {
    timeout: 20_000,
    interval: 5,
  })
  await target.server.kill()
  const left = (await countDatasetRows(target.place, dataset.id)).records
  expect(left).toBeGreaterThan(0)
  await target.restart()
  await vi.waitFor(async () => expect(await countDatasetRows(target.place, dataset.id)).toEqual({}), {
    timeout: 30_000,
    interval: 100,
  })
})

if (testEngine() === 'postgres') {
  it('keeps every confirmed answer when the database closes its connections, and continues to serve', async () => {
    const { dataset, writers } = await seedWriters(target.server)
    const admin = new pg.Client({ connectionString: target.place.databaseUrl as string })
    await admin.connect()
    let ended = 0
    for (let round = 0; round < 10; round += 1) {
      await repeatUnsure(target.server, writers)
      const stop = new AbortController()
      const working = runWriters(target.server, writers, stop.signal)
      for (let i = 0, inRound = 0; i < 5 || inRound < 6; i += 1) {
        await pause(randomInt(10, 100))
        const { rowCount } = await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        inRound += rowCount ?? 0
        ended += rowCount ?? 0
      }
      stop.abort()
      await working
      await vi.waitFor(async () => expect((await createClient(target.server.url, owner).get('/me')).status).toBe(200), {
        timeout: 30_000,
      })
      await expectConfirmedAnswers(target.server, dataset.id, writers)
    }
    await admin.end()
    expect(ended).toBeGreaterThan(50)
    expect(target.server.printed()).not.toContain('uncaught')
  })
}
