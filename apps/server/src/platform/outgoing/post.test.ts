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

  it('is refused behind a name, also as one of several', async () => {
    const several: Resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    expect(await post(at('localhost'), { allowPrivate: false })).toMatchObject({ status: null })
    expect(await post(at('x.test'), { allowPrivate: false, resolve: several })).toEqual(refused('127.0.0.1'))
    expect(receiver.received).toEqual([])
  })

  it('is reached where the operator allows it', async () => {
    expect(await post(at('x.test'), { resolve: loopback })).toEqual({ status: 200 })
    expect(receiver.received).toMatchObject([{ body: '{"a":"ü"}', headers: { host: at('x.test').slice(7) } }])
  })
})

it('looks a name up once, and connects to what it was then', async () => {
  let asked = 0
  // NOTE: a name that is public when it is looked at and private when it is connected to
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

it('sends the name and password of the address', async () => {
  expect(await post(receiver.url.replace('//', '//me:p%40ss@'))).toEqual({ status: 200 })
  expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
})

describe('a target that', () => {
  const soon = { timeoutMs: 200 }
  const late = { status: null, reason: expect.stringContaining('did not answer within 0.2 seconds') }

  it('says nothing is waited for until the time is over', async () => {
    receiver.answer(() => undefined)
    expect(await post(receiver.url, soon)).toEqual(late)
  })

  it('has a name that hangs is waited for as long', async () => {
    expect(await post(at('x.test'), { ...soon, resolve: () => new Promise(() => undefined) })).toEqual(late)
  })

  it('answers without an end has answered', async () => {
    receiver.answer((_one, response) => response.writeHead(201).write('a'))
    expect(await post(receiver.url, soon)).toEqual({ status: 201 })
    receiver.answer((_one, response) => {
      response.writeHead(202)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 5)
      response.on('close', () => clearInterval(more))
    })
    expect(await post(receiver.url)).toEqual({ status: 202 })
  })

  it('is not there, hangs up or speaks no HTTP is told in a sentence', async () => {
    const missing: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const told = async (answer: ReturnType<typeof post>) => ((await answer) as { reason: string }).reason
    expect(await told(post('http://127.0.0.1:9'))).toBe('Nothing listens at 127.0.0.1:9')
    expect(await told(post(at('x.test'), { resolve: missing }))).toBe('The name x.test has no address')
    receiver.answer((_one, response) => response.destroy())
    expect(await told(post(receiver.url))).toContain('closed the connection without an answer')
    const other = createServer((socket) => socket.end('hello\r\n'))
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as AddressInfo
    expect(await told(post(`http://127.0.0.1:${port}`))).toContain('could not be reached')
    expect(await told(post(`https://127.0.0.1:${port}`))).toContain('could not be reached')
    other.close()
  })
})

it('ends when it is asked to', async () => {
  receiver.answer(() => undefined)
  const cut = new AbortController()
  const asked = post(receiver.url, { signal: cut.signal })
  setTimeout(() => cut.abort(new Error('enough')), 50)
  await expect(asked).rejects.toThrow('enough')
})
