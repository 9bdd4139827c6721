import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { expect, test, vi } from 'vitest'
import { serverPerTest } from '#harness/server-per-test.ts'
import { postil } from './harness/cli.ts'
import { OWNER } from './harness/server.ts'

const BULKS = 8
const IN_BULK = 500
const KILLS = 3
const owner = { api_key: OWNER.apiKey }

const target = serverPerTest()

type Report = { ok: boolean; datasets: { rebuilding: boolean; records: number; differences: unknown[] }[] }
const examine = async (): Promise<Report> => JSON.parse((await postil(target.place, ['doctor', '--json'])).stdout) as Report

const makeDataset = async (): Promise<string> => {
  const client = createClient(target.server.url, owner)
  const dataset = await createFactories(client).createDataset({})
  for (let bulk = 0; bulk < BULKS; bulk += 1) {
    const items = Array.from({ length: IN_BULK }, (_, i) => ({ fields: { text: `hello record ${bulk} ${i}` } }))
    expect((await client.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  }
  return dataset.id
}

const found = async (dataset: string, q: string): Promise<number> => {
  const body = { query: { text: { q } } }
  const path = `/datasets/${dataset}/records/search?limit=1`
  return (await createClient(target.server.url, owner).post<{ total: number }>(path, body)).body.total
}

test('a scheduled rebuild survives a killed server, and searches stay exact throughout', async () => {
  const dataset = await makeDataset()
  expect(await postil(target.place, ['doctor'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('4000 records, in order\n'),
  })
  await target.server.stop()
  expect(await postil(target.place, ['doctor', '--rebuild'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 dataset'),
  })
  expect(await examine()).toMatchObject({ ok: true, datasets: [{ rebuilding: true, records: 4000, differences: [] }] })
  // How much is rebuilt between two kills of the server depends on the machine. The first kill comes immediately after the start,
  // so that at least this kill interrupts the rebuild.
  const interruptedAt: boolean[] = []
  for (let kill = 0; kill < KILLS && interruptedAt.at(-1) !== false; kill += 1) {
    await target.restart()
    if (kill > 0) {
      expect([await found(dataset, 'hello'), await found(dataset, 'record 7')]).toEqual([4000, 507])
      await pause(randomInt(0, 200))
    }
    await target.server.kill()
    const report = await examine()
    expect(report).toMatchObject({ ok: true, datasets: [{ records: 4000 }] })
    interruptedAt.push(report.datasets[0]?.rebuilding === true)
  }
  expect(interruptedAt[0]).toBe(true)
  await target.restart()
  const finished = { ok: true, datasets: [{ rebuilding: false, records: 4000, differences: [] }] }
  await vi.waitFor(async () => expect(await examine()).toMatchObject(finished), { timeout: 60_000, interval: 200 })
  expect([await found(dataset, 'hello'), await found(dataset, 'record 7')]).toEqual([4000, 507])
})
