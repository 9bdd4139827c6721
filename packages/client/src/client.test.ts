import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { type Client, createClient } from './client.ts'

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await bootServer({ delivery: null, env: { POSTIL_BASE_URL: '/below/' } })
  client = createClient({ url: `${server.url}/`, apiKey: server.owner.api_key })
})
afterAll(() => server.close())

const some = (count: number) => Array.from({ length: count }, (_, i) => ({ external_id: `r${i}`, fields: { text: `text ${i}` } }))

describe('a client', () => {
  it('calls any endpoint, even with a path prefix', async () => {
    expect(await client.call('GET /me')).toMatchObject({ username: server.owner.username, role: 'owner' })
    const { id } = await server.createDataset()
    expect((await client.datasets()).map((dataset) => dataset.id)).toContain(id)
    expect((await client.dataset(id)).status).toBe('ready')
  })

  it('creates, updates, reads, finds and deletes more records than fit into one request', async () => {
    const { id } = await server.createDataset()
    const sent: number[] = []
    for await (const batch of client.upsertRecords(id, some(1203))) sent.push(batch.sent)
    expect(sent).toEqual([500, 1000, 1203])
    for await (const _ of client.upsertRecords(id, [{ external_id: 'r7', fields: { text: 'seven' } }], { batch: 9999 }));
    const all = await Array.fromAsync(client.records(id, { pageSize: 400 }))
    expect(all.map(({ external_id }) => external_id)).toEqual(some(1203).map(({ external_id }) => external_id))
    expect(all[7]?.fields).toEqual({ text: 'seven' })
    const found = await Array.fromAsync(client.search(id, { query: { text: { q: 'text' } } }, { pageSize: 500 }))
    expect(found).toHaveLength(1202)
    const mine = client.search(
      id,
      { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }] } },
      { mine: true },
    )
    expect(await Array.fromAsync(mine)).toHaveLength(1203)
    await client.deleteRecords(
      id,
      all.slice(0, 150).map((record) => record.id),
    )
    expect(await Array.fromAsync(client.records(id))).toHaveLength(1053)
  })

  it('includes responses, suggestions and selected vectors', async () => {
    const vectors_settings = ['v', 'w', 'x'].map((name) => ({ name, dimensions: 1 }))
    const { id } = await server.createDataset({ vectors_settings })
    for await (const _ of client.upsertRecords(id, [{ ...some(1)[0]!, vectors: { v: [1], w: [2], x: [3] } }]));
    const [record] = await Array.fromAsync(client.records(id, { include: ['responses', 'vectors:v', 'vectors:w'] }))
    expect(record).toMatchObject({ responses: [], vectors: { v: [1], w: [2] } })
    expect(Object.keys(record ?? {})).not.toContain('suggestions')
  })

  it('loads no more pages than needed', async () => {
    const { id } = await server.createDataset()
    for await (const _ of client.upsertRecords(id, some(30)));
    let read = 0
    for await (const _ of client.records(id, { pageSize: 10 })) if (++read === 5) break
    expect(read).toBe(5)
  })

  it("reports a refusal with the server's sentence and its code", async () => {
    const { id } = await server.createDataset()
    const bad = client.upsertRecords(id, [{ fields: { nothing: 'x' } }])
    await expect(bad.next()).rejects.toMatchObject({ status: 422 })
    const other = { name: 'taken' }
    await client.call('POST /workspaces', { body: other })
    await expect(client.call('POST /workspaces', { body: other })).rejects.toMatchObject({
      status: 409,
      detail: 'Workspace with name `taken` already exists',
      coded: { code: 'workspaceExists', params: other },
    })
    const stranger = createClient({ url: server.url, apiKey: 'nobody has this' })
    await expect(stranger.datasets()).rejects.toMatchObject({ name: 'ApiError', status: 401 })
    await expect(createClient({ url: 'http://127.0.0.1:1', apiKey: 'x', tries: 1 }).datasets()).rejects.toMatchObject({
      status: 0,
    })
  })
})

describe('a transient failure', () => {
  /** Starts a server that responds with the given statuses in order, and then always with 200. */
  const moody = async (statuses: readonly number[]) => {
    const asked: string[] = []
    const http = createServer((request, response) => {
      const status = statuses[asked.push(`${request.method} ${request.url}`) - 1] ?? 200
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json', ...(status === 503 && { 'retry-after': '1' }) })
      response.end('{"items":[]}')
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    return { asked, url, close: () => new Promise((resolve) => http.close(resolve)) }
  }

  it('is retried, but not earlier than the server allows', async () => {
    const there = await moody([500, 503, 429])
    const began = performance.now()
    expect(await createClient({ url: there.url, apiKey: 'x', pause: 1 }).datasets()).toEqual([])
    expect(there.asked).toHaveLength(4)
    expect(performance.now() - began).toBeGreaterThan(990)
    await there.close()
  })

  it('fails after the maximum number of tries, and at once if a retry could execute it twice', async () => {
    const there = await moody(Array(20).fill(500))
    const fastClient = createClient({ url: there.url, apiKey: 'x', pause: 1, tries: 3 })
    await expect(fastClient.datasets()).rejects.toBeInstanceOf(ApiError)
    expect(there.asked).toHaveLength(3)
    await expect(fastClient.call('POST /datasets', { body: {} as never })).rejects.toMatchObject({ status: 500 })
    expect(there.asked).toHaveLength(4)
    await expect(
      fastClient.call('POST /datasets/:dataset_id/records/search', { params: { dataset_id: 'x' }, body: {} }),
    ).rejects.toMatchObject({ status: 500 })
    expect(there.asked).toHaveLength(7)
    await there.close()
  })

  it('is not reported if the request was aborted, but the reason is', async () => {
    const there = await moody(Array(20).fill(503))
    const controller = new AbortController()
    const reading = createClient({ url: there.url, apiKey: 'x' }).records('x', { signal: controller.signal }).next()
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    await there.close()
  })

  it('is not retried after an abort', async () => {
    const there = await moody(Array(20).fill(503))
    const slowClient = createClient({ url: there.url, apiKey: 'x' })
    const controller = new AbortController()
    const reading = slowClient.records('x', { signal: controller.signal }).next()
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(reading).rejects.toThrow('enough')
    await there.close()
  })
})
