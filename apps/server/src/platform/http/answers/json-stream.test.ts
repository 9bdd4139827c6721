import { connect } from 'node:net'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answering } from '../testing/echo.ts'
import { FileStream, StoredBytes } from './answers.ts'
import { jsonList } from './json-list.ts'

const body = z.strictObject({ items: z.array(z.int()), total: z.int() })

async function* pieces(...some: (readonly string[] | Error)[]): AsyncGenerator<readonly string[]> {
  for (const piece of some) {
    if (piece instanceof Error) throw piece
    yield piece
  }
}

async function* brokenFile(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the first part\n')
  // The first part must reach the client, so that the client has a partial response that it could mistake for a complete one.
  await new Promise((sent) => setTimeout(sent, 50))
  throw new Error('of the test')
}

let server: TestServer
beforeAll(async () => {
  server = await bootServer({
    extraRoutes: [
      answering('/whole', () => jsonList(['1', '2', '3'], '"total":3'), body),
      answering('/pieces', () => jsonList(pieces(['1'], [], ['2', '3']), '"total":3'), body),
      answering('/nothing', () => jsonList(pieces(), '"total":0'), body),
      answering('/breaks', () => jsonList(pieces(['1'], new Error('of the test')), '"total":3'), body),
      answering('/file', () => new FileStream('a.csv', 'text/csv', brokenFile())),
      answering('/stored', () => new StoredBytes(200, { 'content-type': 'image/png' }, brokenFile())),
      answering('/refused', () => jsonList(pieces(unprocessable('no')), '"total":3'), body),
    ],
  })
})
afterAll(() => server.close())

const read = async (path: string, encoding: string) => {
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { 'accept-encoding': encoding } })
  return { status: answer.status, encoding: answer.headers.get('content-encoding'), text: await answer.text() }
}

describe.each(['identity', 'gzip', 'br'])('a list in pieces (%s)', (encoding) => {
  const sentAs = encoding === 'identity' ? null : encoding

  it('has the bytes of a whole list', async () => {
    const whole = await read('/whole', 'identity')
    expect(await read('/pieces', encoding)).toEqual({ ...whole, encoding: sentAs })
    expect((await read('/nothing', encoding)).text).toBe('{"items":[],"total":0}')
  })

  it('fails for the client if it breaks off', async () => {
    // If the compressor has sent nothing before the error, the client gets a readable error. Otherwise the connection is closed.
    const status = await read('/breaks', encoding).then(
      (answer) => (JSON.parse(answer.text) as { detail: unknown }).detail && answer.status,
      () => 'closed',
    )
    expect(encoding === 'identity' ? ['closed'] : ['closed', 500]).toContain(status)
  })

  it('is refused with a status if nothing was sent', async () => {
    expect(await read('/refused', encoding)).toMatchObject({ status: 422, text: '{"detail":"no"}' })
  })
})

it.each(['/breaks', '/file', '/stored'])(
  'a response that breaks off resets the connection, including in HTTP/1.0 (%s)',
  async (path) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /api/v1${path} HTTP/1.0\r\nhost: localhost\r\n\r\n`)
    const ended = await new Promise<string>((resolve) => {
      socket
        .on('end', () => resolve('a regular end'))
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
        .resume()
    })
    expect(ended).toBe('ECONNRESET')
    socket.destroy()
  },
)
