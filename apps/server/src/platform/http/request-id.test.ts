import { spawnSync } from 'node:child_process'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answering } from './testing/echo.ts'

/* A request has one ID, which appears in its response and in every log line that it causes. */

type Line = { readonly msg: string; readonly request?: string; readonly [key: string]: unknown }
let lines: Line[] = []
const log = pino({ level: 'trace', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
const logging = { POSTIL_ACCESS_LOG: 'true', POSTIL_SLOW_MS: '1' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const fault = answering('/fault', () => {
  throw new Error('of ours')
})

let server: TestServer
let behindProxy: TestServer
beforeAll(async () => {
  server = await bootServer({ log, env: logging, extraRoutes: [fault], validateResponses: false })
  behindProxy = await bootServer({ log, env: { ...logging, POSTIL_TRUST_PROXY: 'true' } })
})
afterAll(() => Promise.all([server.close(), behindProxy.close()]))
beforeEach(() => {
  lines = []
})

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-request-id') ?? ''
const linesOf = (id: string) => lines.filter(({ request }) => request === id).map(({ msg }) => msg)
const calledBy = async (at: TestServer, id: string) => idOf(await at.clientFor(null).get('/version', { 'x-request-id': id }))

describe('a request has the same ID', () => {
  it('in its response, the access log and the log line and response of an error', async () => {
    const answer = await server.clientFor(null).get<{ detail: { params: { message: string; request: string } } }>('/fault')
    const id = idOf(answer)
    expect([answer.status, id]).toEqual([500, expect.stringMatching(UUID)])
    expect(answer.body.detail.params).toMatchObject({ request: id, message: expect.stringContaining(id) })
    await expect.poll(() => linesOf(id)).toEqual(['a request failed', 'request'])
  })

  it('in the security log', async () => {
    const user = await server.createUser()
    const answer = await server.clientFor(user).get('/users')
    expect(answer.status).toBe(403)
    await expect.poll(() => linesOf(idOf(answer))).toEqual(expect.arrayContaining(['security', 'request']))
  })

  it('in the slow operation log, different for each request', async () => {
    const { id } = await server.createDataset()
    const items = Array.from({ length: 500 }, (_, i) => ({ fields: { text: `some words of record ${i}` } }))
    const answers = await Promise.all(
      [1, 2].map(() => server.clientFor(server.owner).post(`/datasets/${id}/records/bulk`, { items })),
    )
    const slow = lines.filter(({ name }) => name === 'records.create')
    expect(slow.map(({ request }) => request).toSorted()).toEqual(answers.map(idOf).toSorted())
  })

  it('in every response: the page, missing paths, unroutable paths and cross-origin responses', async () => {
    for (const path of ['/', '/api/v1/nothing', '/%zz', '/health/live'])
      expect(idOf(await fetch(`${server.url}${path}`))).toMatch(UUID)
    const open = await bootServer({ env: { ARGILLA_CORS_ORIGINS: '["https://other.example"]' } })
    const { headers } = await open.clientFor(null).get('/version', { origin: 'https://other.example' })
    expect(headers.get('access-control-expose-headers')).toBe('x-request-id, postil-error')
    await open.close()
  })
})

describe('the ID of a request', () => {
  it('is different for each request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => idOf(await server.clientFor(null).get('/version'))))
    expect(new Set(ids).size).toBe(20)
  })

  it('is taken from a trusted proxy', async () => {
    expect(await calledBy(behindProxy, 'proxy-4711.a_b')).toBe('proxy-4711.a_b')
    expect(await calledBy(server, 'proxy-4711.a_b')).toMatch(UUID)
  })

  it.each(['short', 'with a space', 'x'.repeat(129), 'quoted"or}', 'a,b,c,d,e,f,g'])(
    'is generated in place of %s',
    async (given) => {
      expect(await calledBy(behindProxy, given)).toMatch(UUID)
    },
  )
})

it('log lines name their process', () => {
  const script = `import { createLog } from '${new URL('../log.ts', import.meta.url)}'; createLog('info').info('told')`
  const { pid, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(JSON.parse(stderr.trim())).toMatchObject({ msg: 'told', pid, level: 30, time: expect.stringMatching(/Z$/) })
})
