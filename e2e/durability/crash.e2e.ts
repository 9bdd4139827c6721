import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Place, RunningServer } from '#harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from '#harness/server.ts'
import { differences, rowsOfDataset } from './inspect.ts'
import { Writer } from './writers.ts'

const KILLS = 20
const WRITERS = 6
const RECORDS = 60
const owner = { api_key: OWNER.apiKey }

let place: Place
let server: RunningServer
beforeEach(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
})
afterEach(async () => {
  await server.kill()
  await place.drop()
})

const LABEL = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }
const STARS = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }
const questions = [
  { name: 'label', required: true, settings: LABEL },
  { name: 'stars', settings: STARS },
]

const makeDataset = async (records: number) => {
  const client = createClient(server.url, owner)
  const factories = createFactories(client)
  const workspace = await factories.createWorkspace()
  const distribution = { strategy: 'overlap', min_submitted: 2 } as const
  const dataset = await factories.createDataset({ workspace_id: workspace.id, distribution, questions })
  const ids: string[] = []
  while (ids.length < records) {
    const items = Array.from({ length: Math.min(500, records - ids.length) }, (_, i) => ({ fields: { text: `text ${i}` } }))
    const { body } = await client.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
    ids.push(...body.items.map(({ id }) => id))
  }
  return { factories, workspace, dataset, ids }
}

const makeWriters = async () => {
  const { factories, workspace, dataset, ids } = await makeDataset(RECORDS)
  const users = await Promise.all(Array.from({ length: WRITERS }, () => factories.createUser({ workspaces: [workspace.id] })))
  return { dataset, writers: users.map((user) => new Writer(user, ids)) }
}

/** Every answer that was confirmed is there as it was, and every number that is kept beside them is right. */
const compare = async (dataset: string, writers: readonly Writer[]): Promise<void> => {
  const client = createClient(server.url, owner)
  const { body } = await client.get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1000&include=responses`)
  const stored = new Map<string, Map<string, Response>>(writers.map(({ user }) => [user.id, new Map()]))
  for (const { id, responses = [] } of body.items) {
    for (const response of responses) stored.get(response.user_id)?.set(id, response)
  }
  for (const writer of writers) writer.settle(stored.get(writer.user.id) ?? new Map())
  expect(await differences(place)).toEqual([])
}

it(`keeps every confirmed answer when the server is killed at any moment, ${KILLS} times`, async () => {
  const { dataset, writers } = await makeWriters()
  for (let round = 0; round < KILLS; round += 1) {
    const clients = writers.map(({ user }) => createClient(server.url, user))
    await Promise.all(writers.map((writer, i) => writer.repeat(clients[i] as (typeof clients)[number])))
    const killed = new AbortController()
    const working = Promise.all(writers.map((writer, i) => writer.work(clients[i] as (typeof clients)[number], killed.signal)))
    await Promise.race([pause(randomInt(20, 500)), working])
    const dead = server.kill()
    killed.abort()
    await Promise.all([working, dead])
    server = await startServer({ place })
    await compare(dataset.id, writers)
  }
  // Enough was confirmed for the test to mean something.
  expect(writers.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBeGreaterThan(KILLS * WRITERS)
})

it('goes on purging a deleted dataset after a kill', async () => {
  const { dataset } = await makeDataset(3_000)
  await createClient(server.url, owner).delete(`/datasets/${dataset.id}`)
  await vi.waitFor(async () => expect((await rowsOfDataset(place, dataset.id)).records).toBeLessThan(3_000), {
    timeout: 20_000,
    interval: 5,
  })
  await server.kill()
  const left = (await rowsOfDataset(place, dataset.id)).records
  expect(left).toBeGreaterThan(0)
  server = await startServer({ place })
  await vi.waitFor(async () => expect(await rowsOfDataset(place, dataset.id)).toEqual({}), { timeout: 30_000, interval: 100 })
})

if (testEngine() === 'postgres') {
  it('keeps every confirmed answer when the database ends its connections, and serves on', async () => {
    const { dataset, writers } = await makeWriters()
    const clients = writers.map(({ user }) => createClient(server.url, user))
    const admin = new pg.Client({ connectionString: place.databaseUrl as string })
    await admin.connect()
    let ended = 0
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(writers.map((writer, i) => writer.repeat(clients[i] as (typeof clients)[number])))
      const stop = new AbortController()
      const working = Promise.all(writers.map((writer, i) => writer.work(clients[i] as (typeof clients)[number], stop.signal)))
      for (let i = 0; i < 5; i += 1) {
        await pause(randomInt(10, 100))
        const { rowCount } = await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        ended += rowCount ?? 0
      }
      stop.abort()
      await working
      await vi.waitFor(async () => expect((await clients[0]?.get('/me'))?.status).toBe(200), { timeout: 10_000 })
      await compare(dataset.id, writers)
    }
    await admin.end()
    expect(ended).toBeGreaterThan(50)
    expect(server.printed()).not.toContain('uncaught')
  })
}
