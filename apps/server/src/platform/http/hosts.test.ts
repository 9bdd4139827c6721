import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

type Sent = { readonly [name: string]: string }
const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Sends a request with any `Host` header, which `fetch` doesn't allow. */
const get = async (server: TestServer, path: string, headers: Sent, method = 'GET') => {
  const sent = request(`${server.url}${path}`, { method, headers }).end()
  const [answer] = await once(sent, 'response')
  return { status: answer.statusCode as number, headers: answer.headers as Sent, body: await text(answer) }
}
const statusFor = async (server: TestServer, host: string, headers: Sent = {}) =>
  (await get(server, '/api/v1/version', { host, ...headers })).status
const boot = async (env: Sent) => {
  const server = await bootServer({ env })
  servers.push(server)
  return server
}

describe('without settings', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await bootServer({ env: { POSTIL_ENABLE_SHARE_YOUR_PROGRESS: 'true' } })
  })
  afterAll(() => server.close())

  it('accepts IP addresses, localhost and the name of the machine, with any port', async () => {
    const hosts = ['127.0.0.1', '127.0.0.1:6900', '192.168.1.20:8080', '[::1]:6900', '[fe80::1]', 'localhost', 'LOCALHOST:5173']
    for (const host of [...hosts, 'localhost.', 'hub.localhost:81', hostname()]) {
      expect([host, await statusFor(server, host)]).toEqual([host, 200])
    }
  })

  it('refuses every other name and says which setting to change', async () => {
    const answer = await get(server, '/api/v1/version', { host: 'Rebound.Example:6900' })
    expect(answer.status).toBe(421)
    expect(JSON.parse(answer.body)).toEqual({
      detail:
        'This server does not accept requests for the host name rebound.example. If people open Postil under this name, set POSTIL_PUBLIC_URL to its address, or add rebound.example to POSTIL_ALLOWED_HOSTS, and restart the server',
    })
    const hosts = [
      '127.0.0.1.rebound.example',
      'localhost.rebound.example',
      'notlocalhost',
      '127.0.0.1@rebound.example',
      'a b',
      '[x]',
    ]
    for (const host of hosts) expect([host, await statusFor(server, host)]).toEqual([host, 421])
  })

  it('refuses them on every path and method, even if no route matches', async () => {
    const paths = ['/', '/sign-in', '/api/v1/me', '/api/v1/users/', '/api/v1/%zz', '/api/v1/oauth2/providers', '/metrics']
    for (const path of [...paths, '/share-your-progress', '/share-your-progress/card.png']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await get(server, path, { host: 'rebound.example' }, method)
        expect([method, path, answer.status]).toEqual([method, path, 421])
        expect(answer.headers.location).toBeUndefined()
        expect(answer.headers['x-request-id']).toBeTruthy()
      }
    }
  })

  it('shows a browser the sentence as text', async () => {
    const answer = await get(server, '/', { host: 'rebound.example', accept: 'text/html,*/*' })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toMatch(/^This server does not accept requests for the host name rebound\.example\./)
  })

  it('answers health checks by any name', async () => {
    expect((await get(server, '/health/ready', { host: 'backend.internal' })).status).toBe(200)
  })

  it('returns 400 for two Host headers, even if they are equal', async () => {
    const { port } = new URL(server.url)
    for (const lines of ['Host: localhost\r\nHost: rebound.example', 'host: localhost\r\nHOST: localhost']) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.end(`GET /api/v1/version HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"The request has more than one Host header"/)
    }
  })

  it('answers a request without a host and builds no URL from it', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('GET /api/v1/users/ HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 307 [\s\S]*location: \/api\/v1\/users\r\n/)
  })
})

describe('with settings', () => {
  it('accepts the public host and the listed names', async () => {
    const server = await boot({
      POSTIL_PUBLIC_URL: 'https://annotate.example.org:8443',
      POSTIL_ALLOWED_HOSTS: 'postil, Internal.Example',
    })
    for (const host of ['annotate.example.org', 'postil:6900', 'internal.example', '10.0.0.1'])
      expect([host, await statusFor(server, host)]).toEqual([host, 200])
    expect(await statusFor(server, 'other.example')).toBe(421)
  })

  it('builds redirects from the public URL, whatever the request names', async () => {
    const server = await boot({ POSTIL_PUBLIC_URL: 'https://annotate.example.org' })
    const { headers } = await get(server, '/api/v1/users/', { host: '203.0.113.9' })
    expect(headers.location).toBe('https://annotate.example.org/api/v1/users')
  })

  it('checks the host of the request and the forwarded one', async () => {
    const server = await boot({ POSTIL_TRUST_PROXY: 'true', POSTIL_ALLOWED_HOSTS: 'annotate.example.org' })
    const statusOf = (host: string, forwarded: string) => statusFor(server, host, { 'x-forwarded-host': forwarded })
    expect(await statusOf('127.0.0.1:6900', 'annotate.example.org')).toBe(200)
    expect(await statusOf('127.0.0.1:6900', 'rebound.example')).toBe(421)
    expect(await statusOf('rebound.example', 'annotate.example.org')).toBe(421)
  })

  it('accepts every name with *', async () => {
    expect(await statusFor(await boot({ POSTIL_ALLOWED_HOSTS: '*' }), 'any.example')).toBe(200)
  })

  it('accepts the address of a Space', async () => {
    const server = await boot({ SPACE_ID: 'team/postil', SPACE_HOST: 'team-postil.hf.space' })
    expect(await statusFor(server, 'team-postil.hf.space')).toBe(200)
    expect(await statusFor(server, 'other.hf.space')).toBe(421)
  })
})
