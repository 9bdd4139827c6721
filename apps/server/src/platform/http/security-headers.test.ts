import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { rawConnection } from './testing/raw.ts'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postil page '))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><base href="/">')
  await writeFile(join(folder, 'frame.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets/main-abc.js'), 'null')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  server = await bootServer({
    pageDir: folder,
    env: {
      POSTIL_PUBLIC_URL: 'https://annotate.example.org',
      POSTIL_METRICS: 'true',
      POSTIL_METRICS_TOKEN: 'a token of the tests',
      POSTIL_ENABLE_SHARE_YOUR_PROGRESS: 'true',
      POSTIL_CORS_ORIGINS: '["https://other.example.org"]',
    },
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const share =
  '/share-your-progress?dataset_name=d&dataset_id=019a0000-0000-7000-8000-000000000000&user_name=u&team_progress=0.5&records_submitted=1'
type Kind = { readonly path: string; readonly status: number; readonly init?: RequestInit; readonly key?: boolean }
const kinds: { readonly [name: string]: Kind } = {
  'the page': { path: '/', status: 200 },
  'a route of the page': { path: '/dataset/1/annotation-mode', status: 200 },
  'the frame of custom fields': { path: '/frame', status: 200 },
  'a script of the page': { path: '/assets/main-abc.js', status: 200 },
  'an image of the page': { path: '/favicon.svg', status: 200 },
  'a missing file of the page': { path: '/assets/none.js', status: 404 },
  'an API response': { path: '/api/v1/me', status: 200, key: true },
  'a list': { path: '/api/v1/users', status: 200, key: true },
  'a public API response': { path: '/api/v1/version', status: 200 },
  'a request without credentials': { path: '/api/v1/me', status: 401 },
  'an invalid body': { path: '/api/v1/users', status: 422, key: true, init: { method: 'POST', body: '{}' } },
  'malformed JSON': { path: '/api/v1/users', status: 422, key: true, init: { method: 'POST', body: '{' } },
  'an unknown path': { path: '/api/v1/nothing', status: 404 },
  'a malformed path': { path: '/api/v1/users/%', status: 404 },
  'an undefined method': { path: '/api/v1/me', status: 405, init: { method: 'DELETE' } },
  'an undefined method of the page': { path: '/', status: 405, init: { method: 'POST' } },
  'a trailing slash': { path: '/api/v1/me/', status: 307, init: { redirect: 'manual' } },
  'a preflight': {
    path: '/api/v1/me',
    status: 200,
    init: { method: 'OPTIONS', headers: { origin: 'https://other.example.org', 'access-control-request-method': 'GET' } },
  },
  'the documentation': { path: '/api/v1/docs', status: 200 },
  'the OpenAPI document': { path: '/api/v1/openapi.json', status: 200 },
  health: { path: '/health/ready', status: 200 },
  'metrics, refused': { path: '/metrics', status: 401 },
  metrics: { path: '/metrics', status: 200, init: { headers: { authorization: 'Bearer a token of the tests' } } },
  'a shared link': { path: share, status: 200 },
  'the image of a shared link': { path: share.replace('?', '/card.png?'), status: 200 },
}

const isCacheable = new Set([
  'the page',
  'a route of the page',
  'the frame of custom fields',
  'a script of the page',
  'an image of the page',
  'the image of a shared link',
])

describe('every kind of response has the security headers', () => {
  test.each(Object.entries(kinds))('%s', async (name, { path, status, init = {}, key = false }) => {
    const headers = { ...(init.headers as object), ...(key && { 'x-argilla-api-key': server.owner.api_key }) }
    const answer = await fetch(`${server.url}${path}`, { ...init, headers })
    await answer.arrayBuffer()
    expect(answer.status).toBe(status)
    const said = (header: string) => answer.headers.get(header) ?? ''
    expect(said('x-content-type-options')).toBe('nosniff')
    expect(said('referrer-policy')).toBe('same-origin')
    expect(said('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const policy = said('content-security-policy')
    // Files with a hash in their name have no policy, because browsers apply a policy only to documents.
    if (path.startsWith('/assets/') && status === 200) return expect(policy).toBe('')
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).toMatch(/frame-ancestors '(none|self)'/)
    expect(policy).toMatch(/base-uri '(none|self)'/)
    expect(policy).not.toMatch(/script-src[^;]*\*/)
    if (!isCacheable.has(name)) expect(said('cache-control')).toBe('no-store')
    expect(said('x-powered-by') + said('server')).toBe('')
    if (status !== 307) expect(said('content-type')).toMatch(/^[a-z]+\/[\w.+-]+/)
    if (said('content-type').startsWith('text/')) expect(said('content-type')).toMatch(/; ?charset=utf-8/i)
  })

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', '400'],
    ['too large headers', `GET / HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`, '431'],
  ])('%s', async (_, sent, status) => {
    const odd = await rawConnection(server.url)
    odd.send(sent)
    const text = await odd.until((received) => received.includes('}'))
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/x-content-type-options: nosniff/)
    expect(text).toMatch(/content-security-policy: default-src 'none'/)
    odd.end()
  })
})

it('methods that echo the request are not supported', async () => {
  for (const method of ['TRACE', 'CONNECT', 'TRACK']) {
    const odd = await rawConnection(server.url)
    odd.send(`${method} /api/v1/me HTTP/1.1\r\nhost: localhost\r\nx-planted: planted\r\ncontent-length: 0\r\n\r\n`)
    const text = await odd.until((received) => received.includes('\r\n\r\n')).catch(() => '')
    expect([method, text.includes('planted'), / 200 /.test(text)]).toEqual([method, false, false])
    odd.end()
  }
})

it('a folder is never listed, and nothing outside the page folder is served', async () => {
  for (const path of [
    '/assets',
    '/assets/',
    '/.git/config',
    '/..%2foutside.txt',
    '/%2e%2e/package.json',
    '/.env',
    '/secret',
    '/postil.db',
  ]) {
    const text = await (await fetch(`${server.url}${path}`)).text()
    expect([path, /main-abc|"private"|SQLite format/.test(text)]).toEqual([path, false])
  }
})

it('plain HTTP gets no HSTS header', async () => {
  const plain = await bootServer({ pageDir: folder })
  expect((await fetch(plain.url)).headers.get('strict-transport-security')).toBeNull()
  await plain.close()
})
