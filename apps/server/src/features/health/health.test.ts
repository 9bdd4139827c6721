import type { Instance } from '@postil/contract/info.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { testEngine } from '@postil/testkit/store.ts'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'

let server: TestServer
afterEach(() => server.close())

const ask = (path: string, headers: { readonly [name: string]: string } = {}) => fetch(`${server.url}${path}`, { headers })

describe('health', () => {
  it('is public, below the path prefix, and not cached', async () => {
    server = await bootServer({ env: { POSTIL_BASE_URL: '/under/' } })
    for (const [path, status] of [
      ['/health/live', 'live'],
      ['/health/ready', 'ready'],
    ] as const) {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('cache-control'), await answer.json()]).toEqual([200, 'no-store', { status }])
    }
  })

  it('is live but not ready without a store', async () => {
    server = await bootServer({ delivery: null })
    await server.app.ctx.store.close()
    const answer = await ask('/health/ready')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await ask('/health/live')).status).toBe(200)
  })

  it('has a status with store, jobs and disk for owners', async () => {
    server = await bootServer()
    const { body } = await server.clientFor(server.owner).get('/status')
    expect(body).toMatchObject({
      memory: { rss: expect.stringMatching(/^\d+M$/) },
      version: '2.8.0',
      store: { engine: expect.any(String), version: expect.any(String) },
      jobs: { queued: expect.any(Number), started: expect.any(Number), failed: 0 },
      disk: { free: expect.stringMatching(/^\d+M$/), total: expect.stringMatching(/^\d+M$/) },
    })
  })

  it('has a status that tells others only the version, whatever credentials they send', async () => {
    server = await bootServer()
    const admin = await server.createUser({ role: 'admin' })
    const credentials = [
      {},
      { 'x-argilla-api-key': admin.api_key },
      { 'x-argilla-api-key': 'wrong' },
      { authorization: 'Bearer wrong' },
      { cookie: 'postil_session=wrong' },
    ]
    for (const headers of credentials) {
      const answer = await ask('/api/v1/status', headers)
      expect([answer.status, await answer.json()]).toEqual([200, { version: '2.8.0' }])
    }
  })
})

describe('GET /instance', () => {
  it('shows owners the store, content, jobs and disk', async () => {
    server = await bootServer()
    const owner = server.clientFor(server.owner)
    const dataset = await server.createDataset()
    await owner.post(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: 'a' } }, { fields: { text: 'b' } }] })
    const { status, body } = await owner.get<Instance>('/instance')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      wire_version: '2.8.0',
      ready: true,
      store: { engine: testEngine(), schema: expect.stringMatching(/^\d{4}-/), bytes: expect.any(Number) },
      content: { users: 1, workspaces: 2, datasets: 1, records: 2 },
      jobs: { waiting: expect.any(Number), running: expect.any(Number), failed: 0 },
      deliveries: { waiting: 0, oldest_at: null, given_up: 0 },
    })
    expect(body.store?.bytes).toBeGreaterThan(10_000)
    expect(body.disk?.free).toBeLessThanOrEqual(body.disk?.total ?? 0)
    expect(new Date(`${body.started_at}Z`).getTime()).toBeLessThan(Date.now())
  })

  it('counts deliveries that haven’t been sent', async () => {
    server = await bootServer({ delivery: null })
    const owner = server.clientFor(server.owner)
    await owner.post('/webhooks', { url: 'http://nothing.invalid/', events: ['dataset.created'] })
    await server.createDataset()
    await server.createDataset()
    const { body } = await owner.get<Instance>('/instance')
    expect(body.deliveries).toEqual({ waiting: 2, oldest_at: expect.any(String), given_up: 0 })
  })
})

describe('metrics', () => {
  it('don’t exist unless enabled', async () => {
    server = await bootServer()
    const answer = await ask('/metrics')
    expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Metrics are off. Set POSTIL_METRICS to enable them' }])
  })

  it('count requests by route and operations by name, without object names', async () => {
    server = await bootServer({ env: { POSTIL_METRICS: 'true' } })
    const { id } = await server.createDataset()
    for (let i = 0; i < 3; i++) await server.clientFor(server.owner).get(`/datasets/${id}`)
    await server.clientFor(null).get(`/datasets/${id}`)
    await ask('/no/such/page')
    const answer = await ask('/metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
    const text = await answer.text()
    const series = (name: string, labels: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name}{${labels}`))
          ?.split(' ')
          .at(-1),
      )
    const route = 'method="GET",route="/api/v1/datasets/:dataset_id"'
    expect(series('postil_http_request_duration_seconds_count', `${route},status="200"`)).toBe(3)
    expect(series('postil_http_request_duration_seconds_count', `${route},status="401"`)).toBe(1)
    expect(series('postil_store_operation_duration_seconds_count', 'kind="command",name="datasets.create"')).toBe(1)
    for (const name of [
      'postil_disk_free_bytes',
      'postil_store_up 1',
      'postil_webhook_deliveries_waiting 0',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toContain(name)
    expect(text).not.toContain(id)
    expect(text).not.toContain('/no/such')
  })

  it('contain the current jobs', async () => {
    server = await bootServer({ env: { POSTIL_METRICS: 'true', POSTIL_JOBS: 'false' } })
    const { id } = await server.createDataset()
    await server.clientFor(server.owner).delete(`/datasets/${id}`)
    expect(await (await ask('/metrics')).text()).toMatch(/^postil_jobs\{state="\w+"\} [1-9]/m)
  })

  it('stay available while the store is down, and report it', async () => {
    server = await bootServer({ env: { POSTIL_METRICS: 'true' }, delivery: null })
    expect(await (await ask('/metrics')).text()).toContain('postil_webhook_deliveries_waiting 0')
    await server.app.ctx.store.close()
    const answer = await ask('/metrics')
    const text = await answer.text()
    expect(answer.status).toBe(200)
    for (const name of ['postil_store_up 0', 'postil_http_request_duration_seconds_count', 'postil_disk_free_bytes '])
      expect(text).toContain(name)
    expect(text).not.toMatch(/^postil_(jobs|webhook_deliveries_waiting)\b/m)
  })

  it('require their token if one is set', async () => {
    server = await bootServer({ env: { POSTIL_METRICS: 'true', POSTIL_METRICS_TOKEN: 'a token of theirs' } })
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'a token of theirs' }])
      expect((await ask('/metrics', headers)).status).toBe(401)
    expect((await ask('/metrics', { authorization: 'Bearer a token of theirs' })).status).toBe(200)
  })
})

describe('slow operations', () => {
  const booted = async (slow: string) => {
    const lines: { readonly msg: string; readonly name?: string; readonly ms?: number }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    server = await bootServer({ env: { POSTIL_SLOW_MS: slow }, log })
    const { id } = await server.createDataset()
    const items = Array.from({ length: 500 }, (_, i) => ({ fields: { text: `some words of record ${i}` } }))
    await server.clientFor(server.owner).post(`/datasets/${id}/records/bulk`, { items })
    return lines.filter(({ msg }) => msg === 'slow database operation')
  }

  it('are logged by name', async () => {
    const lines = await booted('1')
    expect(lines.map(({ name }) => name)).toContain('records.create')
    for (const { ms } of lines) expect(ms).toBeGreaterThanOrEqual(1)
  })

  it('aren’t logged when none is slow, or when logging is off', async () => {
    expect(await booted('3600000')).toEqual([])
    await server.close()
    expect(await booted('0')).toEqual([])
  })
})
