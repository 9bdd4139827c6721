import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answering, someText } from './testing/echo.ts'
import { rawConnection } from './testing/raw.ts'

describe('a client', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await bootServer({
      extraRoutes: [someText],
      validateResponses: false,
      http: { headersTimeoutMs: 300, requestTimeoutMs: 600, bodyIdleMs: 10_000, answerIdleMs: 1_000 },
    })
  })
  afterAll(() => server.close())

  it('is disconnected while others are served if it sends its headers too slowly', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => rawConnection(server.url)))
    for (const connection of slow) connection.send('GET /api/v1/version HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200)
    for (const connection of slow) {
      expect(await connection.until((text) => text.includes('}'), 15_000)).toMatch(/^HTTP\/1\.1 408 .*"detail"/s)
      await connection.closed
    }
  })

  it('is disconnected at the request timeout if it sends its body byte by byte', async () => {
    const slow = await rawConnection(server.url)
    const key = server.owner.api_key
    slow.send(`POST /api/v1/users HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${key}\r\ncontent-length: 1000\r\n\r\n`)
    const drip = setInterval(() => slow.send(' '), 20)
    await slow.closed
    clearInterval(drip)
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200)
  })

  it('is disconnected if it does not read its response', async () => {
    const connections = () =>
      new Promise<number>((resolve, reject) => {
        server.app.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      })
    const before = await connections()
    const slow = await rawConnection(server.url)
    slow.stopReading()
    slow.send('GET /api/v1/text/50000000 HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => connections()).toBe(before + 1)
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(before), 15_000)
    slow.end()
  })

  it('gets an error response if it does not speak HTTP', async () => {
    const odd = await rawConnection(server.url)
    odd.send('hello\r\n\r\n')
    expect(await odd.until((text) => text.includes('}'))).toMatch(/^HTTP\/1\.1 400 .*\{"detail":"[^"]+"\}$/s)
    const long = await rawConnection(server.url)
    long.send(`GET / HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`)
    expect(await long.until((text) => text.includes('}'))).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('closing the server', () => {
  it('completes requests in flight and accepts no new ones', async () => {
    let arrived = () => {}
    let go = () => {}
    const started = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = answering('/slow', async () => {
      arrived()
      await gate
      return { done: true }
    })
    // If the open keep-alive connection delayed the shutdown until this limit, the test would time out.
    const server = await bootServer({ extraRoutes: [slow], http: { shutdownMs: 300_000 } })
    const idle = await rawConnection(server.url)
    const answer = fetch(`${server.url}/api/v1/slow`)
    await started
    const closing = server.close()
    await expect(fetch(`${server.url}/api/v1/version`)).rejects.toThrow()
    await idle.closed
    go()
    expect(await (await answer).json()).toEqual({ done: true })
    await closing
  })

  it('does not wait forever', async () => {
    const never = answering('/never', () => new Promise(() => {}))
    const server = await bootServer({ extraRoutes: [never], http: { shutdownMs: 200 } })
    const answer = fetch(`${server.url}/api/v1/never`).then(
      () => 'answered',
      () => 'cut',
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    await server.close()
    expect(await answer).toBe('cut')
  })
})
