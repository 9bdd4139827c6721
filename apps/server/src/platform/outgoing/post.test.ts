import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { WebhookReceiver } from '@postil/testkit/webhook-receiver.ts'
import { startReceiver } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { PostOptions } from './post.ts'
import { postOnce } from './post.ts'
import type { Resolve } from './resolve.ts'

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.answer(200)
  receiver.received.length = 0
})

const post = (url: string, more: Partial<PostOptions> = {}) =>
  postOnce(url, { headers: { 'x-test': 'e' }, body: '{"a":"ü"}', timeoutMs: 5000, allowPrivate: true, ...more })
const at = (host: string) => receiver.url.replace('127.0.0.1', host)
const loopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const refused = (address: string) => ({
  status: null,
  reason: expect.stringMatching(new RegExp(`${address.replaceAll('.', '\\.')},? (which )?is not a public address`)),
})

describe('an address that is not public', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['169.254.169.254', '169.254.169.254'],
  ])('%s is refused', async (host, address) => {
    expect(await post(at(host), { allowPrivate: false })).toEqual(refused(address))
    expect(receiver.received).toEqual([])
  })

  it('is refused behind a name, even as one of several', async () => {
    const several: Resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    expect(await post(at('localhost'), { allowPrivate: false })).toMatchObject({ status: null })
    expect(await post(at('x.test'), { allowPrivate: false, resolve: several })).toEqual(refused('127.0.0.1'))
    expect(receiver.received).toEqual([])
  })

  it('is reached if the operator allows it', async () => {
    expect(await post(at('x.test'), { resolve: loopback })).toEqual({ status: 200 })
    expect(receiver.received).toMatchObject([{ body: '{"a":"ü"}', headers: { host: at('x.test').slice(7) } }])
  })
})

it('resolves a name once and connects to that address', async () => {
  let asked = 0
  // The name resolves to a public address for the check and to a private one for the connection.
  const rebinding: Resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
  }
  expect(await post(at('x.test'), { resolve: rebinding, timeoutMs: 300 })).toMatchObject({ status: null })
  expect([asked, receiver.received]).toEqual([1, []])
})

it('does not follow redirects', async () => {
  receiver.answer((_one, response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end())
  expect(await post(`${receiver.url}/a?b=c`)).toEqual({ status: 307 })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/a?b=c'])
})

it('sends the user name and password of the address', async () => {
  expect(await post(receiver.url.replace('//', '//me:p%40ss@'))).toEqual({ status: 200 })
  expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
})

describe('a target', () => {
  const soon = { timeoutMs: 200 }
  const late = { status: null, reason: expect.stringContaining('did not answer within 0.2 seconds') }

  it('times out if it sends nothing', async () => {
    receiver.answer(() => undefined)
    expect(await post(receiver.url, soon)).toEqual(late)
  })

  it('times out if its name does not resolve', async () => {
    expect(await post(at('x.test'), { ...soon, resolve: () => new Promise(() => undefined) })).toEqual(late)
  })

  it('counts as answered even if its response never ends', async () => {
    receiver.answer((_one, response) => response.writeHead(201).write('a'))
    expect(await post(receiver.url, soon)).toEqual({ status: 201 })
    receiver.answer((_one, response) => {
      response.writeHead(202)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 5)
      response.on('close', () => clearInterval(more))
    })
    expect(await post(receiver.url)).toEqual({ status: 202 })
  })

  it('that is missing, hangs up or does not speak HTTP gives a readable reason', async () => {
    const missing: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const reasonOf = async (answer: ReturnType<typeof post>) => ((await answer) as { reason: string }).reason
    expect(await reasonOf(post('http://127.0.0.1:9'))).toBe('127.0.0.1:9 refused the connection')
    expect(await reasonOf(post(at('x.test'), { resolve: missing }))).toBe('The host name x.test has no address')
    receiver.answer((_one, response) => response.destroy())
    expect(await reasonOf(post(receiver.url))).toContain('closed the connection without an answer')
    const other = createServer((socket) => socket.end('hello\r\n'))
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as AddressInfo
    expect(await reasonOf(post(`http://127.0.0.1:${port}`))).toContain('could not be reached')
    expect(await reasonOf(post(`https://127.0.0.1:${port}`))).toContain('could not be reached')
    other.close()
  })
})

it('stops when it is aborted', async () => {
  receiver.answer(() => undefined)
  const cut = new AbortController()
  const asked = post(receiver.url, { signal: cut.signal })
  setTimeout(() => cut.abort(new Error('enough')), 50)
  await expect(asked).rejects.toThrow('enough')
})
