import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, type Place, type RunningServer, startServer, testEngine } from '#harness/server.ts'
import { countConfirmed, expectConfirmedAnswers, owner, repeatUnsure, runWriters, seedDataset, seedWriters } from './fixtures.ts'

let place: Place
let server: RunningServer | undefined
beforeEach(async () => {
  place = await emptyPlace()
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  await place.drop()
})

const expectConsistent = async () => {
  const { code, stdout } = await postil(place, ['doctor', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }])
}

if (testEngine() === 'sqlite') {
  const preload = `--import=${pathToFileURL(join(import.meta.dirname, 'small-threads.mjs')).href}`

  detail('survives a store thread that runs out of memory, and reports it', async () => {
    const running = await startServer({ place, env: { NODE_OPTIONS: preload, POSTIL_TEST_THREAD_MB: '18' } })
    server = running
    const client = createClient(running.url, owner)
    const { factories, writers } = await seedWriters(running)
    const { dataset } = await seedDataset(running, 1, factories)
    // Contains no word to index.
    const text = '='.repeat(140_000)
    for (let bulk = 0; bulk < 40; bulk += 1) {
      const items = Array.from({ length: 10 }, (_, i) => ({ fields: { text: `${bulk} ${i} ${text}` } }))
      expect((await client.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
    }
    const stop = new AbortController()
    const working = runWriters(running, writers, stop.signal)
    for (let round = 0; round < 3; round += 1) {
      const refused = await client.get<{ detail: string }>(`/datasets/${dataset.id}/records?limit=1000`)
      expect(refused.status).toBe(503)
      expect(refused.body.detail).toMatch(/ran out of memory/)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const confirmed = countConfirmed(writers)
      await vi.waitFor(async () => expect((await client.get(`/datasets/${dataset.id}/records?limit=5`)).status).toBe(200), {
        timeout: 20_000,
      })
      if (round < 2) await vi.waitFor(() => expect(countConfirmed(writers)).toBeGreaterThan(confirmed), { timeout: 20_000 })
    }
    stop.abort()
    await working
    expect(running.printed()).toMatch(/a database thread exited and is being restarted/)
    await repeatUnsure(running, writers)
    await expectConsistent()
  })
} else {
  it('survives a database that accepts no more connections, and reports it', async () => {
    const url = new URL(place.databaseUrl as string)
    const database = url.pathname.slice(1)
    const admin = new pg.Client({ connectionString: url.href })
    admin.on('error', () => undefined)
    await admin.connect()
    const role = `${database}_role`
    await admin.query(`create role "${role}" login password 'of the tests'`)
    await admin.query(`alter database "${database}" owner to "${role}"`)
    await admin.query('create extension if not exists vector')
    const own = new URL(url)
    own.username = role
    own.password = 'of the tests'
    const running = await startServer({ place: { ...place, databaseUrl: own.href } })
    server = running
    const { dataset, writers } = await seedWriters(running)
    const stop = new AbortController()
    const working = runWriters(running, writers, stop.signal)
    await admin.query(`alter role "${role}" connection limit 0`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
    const refused = await vi.waitFor(
      async () => {
        const answer = await createClient(running.url, owner).get<{ detail: string }>('/me')
        expect(answer.status).toBe(503)
        return answer
      },
      { timeout: 30_000 },
    )
    expect(refused.body.detail).toMatch(/The database (is unavailable|has reached the connection limit)/)
    expect((await createClient(running.url, owner).get('/status')).status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(503)
    expect((await fetch(`${running.url}/health/live`)).status).toBe(200)
    await admin.query(`alter role "${role}" connection limit -1`)
    await vi.waitFor(async () => expect((await createClient(running.url, owner).get('/me')).status).toBe(200), {
      timeout: 30_000,
    })
    stop.abort()
    await working
    await repeatUnsure(running, writers)
    await expectConfirmedAnswers(running, dataset.id, writers)
    expect(running.printed()).not.toMatch(/uncaught|unhandled/i)
    await expectConsistent()
    await running.stop()
    server = undefined
    await admin.query(`reassign owned by "${role}" to current_user`)
    await admin.query(`drop owned by "${role}"`)
    await admin.query(`drop role "${role}"`)
    await admin.end()
  })
}
