import { spawnSync } from 'node:child_process'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answering } from './testing/echo.ts'

/*
 * What a request is called: once, the same in its answer and in each line of the log that it causes.
 */

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
const calledBy = async (at: TestServer, id: string) => idOf(await at.as(null).get('/version', { 'x-request-id': id }))

describe('a request is called the same', () => {
  it('in its answer, the access log and the line of a fault, whose answer names it too', async () => {
    const answer = await server.as(null).get<{ detail: { params: { message: string; request: string } } }>('/fault')
    const id = idOf(answer)
    expect([answer.status, id]).toEqual([500, expect.stringMatching(UUID)])
    expect(answer.body.detail.params).toMatchObject({ request: id, message: expect.stringContaining(id) })
    await expect.poll(() => linesOf(id)).toEqual(['a request failed', 'request'])
  })

  it('in the security log', async () => {
    const user = await server.createUser()
    const answer = await server.as(user).get('/users')
    expect(answer.status).toBe(403)
    await expect.poll(() => linesOf(idOf(answer))).toEqual(expect.arrayContaining(['security', 'request']))
  })

  it('in the log of slow operations, each in its own', async () => {
    const { id } = await server.createDataset()
    const items = Array.from({ length: 500 }, (_, i) => ({ fields: { text: `some words of record ${i}` } }))
    const answers = await Promise.all([1, 2].map(() => server.as(server.owner).post(`/datasets/${id}/records/bulk`, { items })))
    const slow = lines.filter(({ name }) => name === 'records.create')
    expect(slow.map(({ request }) => request).toSorted()).toEqual(answers.map(idOf).toSorted())
  })

  it('by any answer: of the page, of what is not there, of what no router takes, and to other origins', async () => {
    for (const path of ['/', '/api/v1/nothing', '/%zz', '/health/live'])
      expect(idOf(await fetch(`${server.url}${path}`))).toMatch(UUID)
    const open = await bootServer({ env: { ARGILLA_CORS_ORIGINS: '["https://other.example"]' } })
    const { headers } = await open.as(null).get('/version', { origin: 'https://other.example' })
    expect(headers.get('access-control-expose-headers')).toBe('x-request-id')
    await open.close()
  })
})

describe('its id', () => {
  it('is another one for each', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => idOf(await server.as(null).get('/version'))))
    expect(new Set(ids).size).toBe(20)
  })

  it('is what the proxy in front calls it, where one is believed', async () => {
    expect(await calledBy(behindProxy, 'proxy-4711.a_b')).toBe('proxy-4711.a_b')
    expect(await calledBy(server, 'proxy-4711.a_b')).toMatch(UUID)
  })

  it.each(['short', 'with a space', 'x'.repeat(129), 'quoted"or}', 'a,b,c,d,e,f,g'])('is ours instead of %s', async (given) => {
    expect(await calledBy(behindProxy, given)).toMatch(UUID)
  })
})

it('lines of the log name their process', () => {
  const script = `import { createLog } from '${new URL('../log.ts', import.meta.url)}'; createLog('info').info('told')`
  const { pid, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(JSON.parse(stderr.trim())).toMatchObject({ msg: 'told', pid, level: 30, time: expect.stringMatching(/Z$/) })
})
