import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { echo } from '../testing/echo.ts'
import { rawConnection } from '../testing/raw.ts'
import { maxBodyDepth } from './json-body.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({
    extraRoutes: [echo],
    bodyModule: new URL('../testing/body-module.ts', import.meta.url).href,
    env: { POSTIL_MAX_BODY: '2000000' },
    http: { maxInFlight: 3_000_000 },
  })
})
afterAll(() => server.close())

const path = '/api/v1/echo/01a1fd3b-1f03-70aa-be00-000000360585'
const post = (body: string | Buffer | undefined, type?: string) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'x-argilla-api-key': server.owner.api_key, ...(type !== undefined && { 'content-type': type }) },
    // A Blob without a type is sent without a content type header.
    ...(body !== undefined && { body: new Blob([body]) }),
  })
const problemsOf = async (answer: Response) => {
  const { detail } = (await answer.json()) as { detail: { params: { errors: { type: string; loc: unknown[] }[] } } }
  return [answer.status, ...detail.params.errors.map(({ type, loc }) => [type, ...loc])]
}

describe('the content type of a body', () => {
  test.each([undefined, 'application/json', 'application/json; charset=utf-8', 'application/vnd.api+json', ' Application/JSON'])(
    '%j is parsed as JSON',
    async (type) => {
      expect((await post('{"name":"ä"}', type)).status).toBe(201)
    },
  )
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'application/jsonx'])(
    '%j is not an object',
    async (type) => {
      expect(await problemsOf(await post('{"name":"a"}', type))).toEqual([422, ['model_attributes_type', 'body']])
    },
  )
})

describe('a request body', () => {
  it('is missing if it is absent, empty or null', async () => {
    for (const body of [undefined, '', 'null']) {
      expect(await problemsOf(await post(body, 'application/json'))).toEqual([422, ['missing', 'body']])
    }
  })

  it('is refused if it is not an object', async () => {
    for (const body of ['[]', '1', '"text"']) {
      expect(await problemsOf(await post(body))).toEqual([422, ['model_attributes_type', 'body']])
    }
  })

  it('is invalid if it is not UTF-8 or not JSON, but may have a byte order mark', async () => {
    for (const body of ['{', '{"a":1}}', "{'a':1}", 'NaN', Buffer.from([0x22, 0xff, 0x22])]) {
      expect((await problemsOf(await post(body)))[1]).toEqual(['json_invalid', 'body', expect.any(Number)])
    }
    expect((await post('\ufeff{"name":"a"}')).status).toBe(201)
  })

  it('names the number that JSON does not allow', async () => {
    const answer = await post(`{"name":"a","x":[${'1,'.repeat(5000)}{"size":NaN}]}`)
    expect(await answer.text()).toContain(JSON.stringify('"size":NaN').slice(1, -1))
  })

  it('can contain any number of brackets in strings', async () => {
    const name = '[{"\\'.repeat(1000)
    expect(await (await post(JSON.stringify({ name }))).json()).toMatchObject({ name })
  })

  it('can be nested up to the limit and no deeper', async () => {
    const nested = (depth: number) => `{"name":"a","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await post(nested(maxBodyDepth - 1))).status).toBe(201)
    expect((await problemsOf(await post(nested(maxBodyDepth))))[1]).toEqual(['json_invalid', 'body', expect.any(Number)])
  })

  it('a million levels deep is refused while other requests are served', async () => {
    const deep = post(`{"name":"a","x":${'['.repeat(1_000_000)}`)
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200)
    expect((await problemsOf(await deep))[1]).toEqual(['json_invalid', 'body', expect.any(Number)])
    expect((await problemsOf(await post('{"a":'.repeat(300_000))))[1]).toEqual(['json_invalid', 'body', expect.any(Number)])
  })
})

describe('a large request body', () => {
  const filler = 'x'.repeat(1_000_000)

  it('is parsed and checked in the body pool with the same result', async () => {
    const spec = { username: 'large', first_name: 'L', password: 'long enough', filler }
    expect(await server.clientFor(server.owner).post('/users', spec)).toMatchObject({ status: 201, body: { username: 'large' } })
    const answer = await server.clientFor(server.owner).post('/users', { ...spec, password: 'short', role: 'king' })
    expect(answer.body).toMatchObject({
      detail: {
        params: {
          errors: [
            { type: 'enum', loc: ['body', 'role'] },
            { type: 'string_too_short', loc: ['body', 'password'] },
          ],
        },
      },
    })
    expect(await server.clientFor(server.owner).post('/users', `{"filler":"${filler}"`)).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ type: 'json_invalid' }] } } },
    })
  })

  it('is not parsed for an unauthenticated client', async () => {
    expect(await server.clientFor(null).post('/users', `{"filler":"${filler}"`)).toMatchObject({ status: 401 })
    const form = await fetch(`${server.url}/api/v1/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: filler, password: 'x' }),
    })
    expect(form.status).toBe(413)
  })

  it("over the limit is refused with the setting's name, with or without a declared length", async () => {
    const big = Buffer.alloc(2_000_001, ' ')
    const answer = await post(big)
    expect([answer.status, await answer.json()]).toEqual([413, { detail: expect.stringContaining('POSTIL_MAX_BODY') }])
    const chunked = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'x-argilla-api-key': server.owner.api_key },
      body: new ReadableStream({
        start: (controller) => {
          for (let i = 0; i < 30; i += 1) controller.enqueue(big.subarray(0, 100_000))
          controller.close()
        },
      }),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    expect((await post(`{"name":"a"}${' '.repeat(1_999_988)}`)).status).toBe(201)
  })

  it('waits when the memory limit is reached, and frees the memory afterwards', async () => {
    const head = (length: number) =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${server.owner.api_key}\r\ncontent-length: ${length}\r\n\r\n`
    const slow: Awaited<ReturnType<typeof rawConnection>>[] = []
    // Two slow bodies fill the memory limit, so the short body is refused. If a slow body and the short body arrive at the same
    // time, the server may refuse the slow one instead. In that case, the next attempt sends another slow body.
    const refusal = async () => {
      const connection = await rawConnection(server.url)
      slow.push(connection)
      connection.send(head(1_900_000) + ' '.repeat(1_450_000))
      const answer = await post(' '.repeat(500_000))
      return [answer.status, answer.headers.get('retry-after')]
    }
    await expect.poll(refusal, { timeout: 20_000 }).toEqual([503, '2'])
    for (const connection of slow) connection.end()
    const large = async () => (await post(`{"name":"a"}${' '.repeat(1_900_000)}`)).status
    await expect.poll(large, { timeout: 20_000 }).toBe(201)
  })
})

it('one sender of unfinished bodies reaches their own share, and others can still send', async () => {
  const shared = await bootServer({
    extraRoutes: [echo],
    bodyModule: new URL('../testing/body-module.ts', import.meta.url).href,
    http: { maxInFlight: 6_000_000, maxInFlightPerSender: 3_000_000 },
  })
  onTestFinished(() => shared.close())
  const ann = await shared.createUser()
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${ann.api_key}\r\ncontent-length: 1900000\r\n\r\n`
  const slow: Awaited<ReturnType<typeof rawConnection>>[] = []
  const send = async ({ api_key }: { readonly api_key: string }, bytes: number) => {
    const headers = { 'x-argilla-api-key': api_key, 'content-type': 'application/json' }
    const answer = await fetch(`${shared.url}${path}`, { method: 'POST', headers, body: `{"name":"a"}${' '.repeat(bytes)}` })
    return [answer.status, answer.headers.get('retry-after')]
  }
  const refusal = async () => {
    const connection = await rawConnection(shared.url)
    slow.push(connection)
    connection.send(head + ' '.repeat(1_450_000))
    return send(ann, 500_000)
  }
  await expect.poll(refusal, { timeout: 20_000 }).toEqual([429, '2'])
  expect(await send(shared.owner, 2_000_000)).toEqual([201, null])
  for (const connection of slow) connection.end()
  await expect.poll(() => send(ann, 2_000_000), { timeout: 20_000 }).toEqual([201, null])
})

// Uses a separate server, because other tests leave bodies unfinished on purpose.
it('a stalled request body is dropped while other requests are served', async () => {
  const impatient = await bootServer({ extraRoutes: [echo], http: { bodyIdleMs: 400 } })
  onTestFinished(() => impatient.close())
  const key = impatient.owner.api_key
  const connection = await rawConnection(impatient.url)
  connection.send(`POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${key}\r\ncontent-length: 100\r\n\r\n{"name"`)
  const headers = { 'x-argilla-api-key': key, 'content-type': 'application/json' }
  const other = await fetch(`${impatient.url}${path}`, { method: 'POST', headers, body: '{"name":"a"}' })
  expect(other.status).toBe(201)
  expect(await connection.until((text) => text.includes('detail'))).toMatch(/^HTTP\/1\.1 408/)
  connection.end()
})

describe('a form', () => {
  const sign = (body: NonNullable<RequestInit['body']>, headers: { [name: string]: string } = {}) =>
    fetch(`${server.url}/api/v1/token`, { method: 'POST', body, headers })
  const good = { username: 'owner', password: 'owner-password' }

  it('is accepted as urlencoded or multipart', async () => {
    expect((await sign(new URLSearchParams(good))).status).toBe(201)
    const multipart = new FormData()
    for (const [name, value] of Object.entries(good)) multipart.append(name, value)
    expect((await sign(multipart)).status).toBe(201)
  })

  it('has no fields if it is JSON, malformed or empty', async () => {
    const missing = [422, ['missing', 'body', 'username'], ['missing', 'body', 'password']]
    expect(await problemsOf(await sign(JSON.stringify(good), { 'content-type': 'application/json' }))).toEqual(missing)
    expect(await problemsOf(await sign('x', { 'content-type': 'multipart/form-data; boundary=y' }))).toEqual(missing)
    expect(await problemsOf(await sign(new URLSearchParams()))).toEqual(missing)
  })
})
