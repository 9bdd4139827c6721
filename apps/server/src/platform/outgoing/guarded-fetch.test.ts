import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closedPort } from '@postil/testkit/closed-port.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const listen = async () => {
  const asked: IncomingMessage[] = []
  const place = { url: '', asked, handle: ((_request, response) => response.end('fine')) as Handle }
  const server = createServer((request, response) => {
    asked.push(request)
    place.handle(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  place.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((done) => server.close(() => done()))
  }
  return { place, close }
}

let hub: Awaited<ReturnType<typeof listen>>
let other: Awaited<ReturnType<typeof listen>>
let guarded: { fetch: GuardedFetch; close: () => Promise<void> }
/** Host names and their addresses. Other names can't be resolved. */
const names = new Map<string, string>([['inside.test', '10.0.0.1']])
beforeAll(async () => {
  hub = await listen()
  other = await listen()
  const resolve = async (host: string) => [{ address: names.get(host) ?? '127.0.0.1', family: 4 }]
  guarded = await createGuardedFetch({ trusted: [`${hub.place.url}/with/a/path`], timeoutMs: 300, resolve })
})
afterAll(async () => {
  await guarded.close()
  await hub.close()
  await other.close()
})
beforeEach(() => {
  hub.place.asked.length = 0
  other.place.asked.length = 0
})

const to = (location: string, status = 302) => {
  hub.place.handle = (request, response) => {
    if (request.url !== '/start') return response.end('arrived')
    return response.writeHead(status, { location }).end()
  }
}
const start = (init = {}) => guarded.fetch(`${hub.place.url}/start`, init)

describe('a service configured by the operator', () => {
  it('can be private and redirect to itself with the original headers', async () => {
    to('/end')
    const response = await start({ headers: { authorization: 'Bearer secret' } })
    expect([response.status, await response.text()]).toEqual([200, 'arrived'])
    expect(hub.place.asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/start', 'Bearer secret'],
      ['/end', 'Bearer secret'],
    ])
    to('/end', 307)
    await start({ method: 'POST', body: 'again' })
    expect(hub.place.asked.slice(2).map(({ method }) => method)).toEqual(['POST', 'POST'])
    to('/end', 303)
    await start({ method: 'POST', body: 'once' })
    expect(hub.place.asked.slice(4).map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it.each([
    ['another port of the same machine', () => other.place.url, '127.0.0.1 is not a public address'],
    ['the metadata service of a cloud', () => 'http://169.254.169.254/', '169.254.169.254 is not a public address'],
    ['an IPv6 loopback address', () => 'http://[::1]:80/', '::1 is not a public address'],
    [
      'a name that resolves to a private address',
      () => 'http://inside.test/',
      'inside.test resolves to 10.0.0.1, which is not a public address',
    ],
    [
      'a name of the same machine',
      () => `http://localhost:${new URL(other.place.url).port}/`,
      'localhost resolves to 127.0.0.1, which is not a public address',
    ],
    ['a file URL', () => 'file:///etc/passwd', 'file: is not a supported protocol for a hub'],
    ['itself endlessly', () => '/start', 'redirects more than 5 times'],
  ])("can't redirect to %s", async (_what, location, message) => {
    to(location())
    await expect(start()).rejects.toThrow(message)
    expect(other.place.asked).toEqual([])
  })
})

it('credentials of a request are sent only to the service they are meant for', async () => {
  const both = await createGuardedFetch({ trusted: [hub.place.url, other.place.url], timeoutMs: 300 })
  to(`${other.place.url}/elsewhere`, 307)
  other.place.handle = (_request, response) => response.end('fine')
  const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-kept': 'yes' }
  const response = await both.fetch(`${hub.place.url}/start`, { method: 'POST', body: 'sent', headers })
  expect(await response.text()).toBe('fine')
  const [asked] = other.place.asked
  expect([asked?.method, asked?.headers.authorization, asked?.headers.cookie, asked?.headers['x-kept']]).toEqual([
    'POST',
    undefined,
    undefined,
    'yes',
  ])
  await both.close()
})

describe('a service that does not answer', () => {
  it.each([
    ['is silent', () => undefined, /did not respond in time/],
    ['closes the connection', (_: IncomingMessage, response: ServerResponse) => response.destroy(), /closed the connection/],
  ])('%s', async (_what, handle, message) => {
    hub.place.handle = handle as Handle
    await expect(start()).rejects.toThrow(message)
    await expect(start()).rejects.toMatchObject({ isPassing: true })
  })

  it('does not exist', async () => {
    const gone = await closedPort()
    const url = `http://127.0.0.1:${gone.port}`
    const { fetch, close } = await createGuardedFetch({ trusted: [url], timeoutMs: 300 })
    await expect(fetch(url)).rejects.toThrow(/^127\.0\.0\.1:\d+ refused the connection$/)
    await close()
    await gone.release()
  })

  it('is aborted when the caller aborts', async () => {
    hub.place.handle = () => undefined
    const abort = new AbortController()
    const asked = start({ signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })
})
