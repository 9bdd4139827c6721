import type { Record } from '@postil/contract/records.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { rawConnection } from '#platform/http/testing/raw.ts'
import { problemsIn } from './testing/bodies.ts'
import { must, partsOf, type Rich } from './testing/fixture.ts'
import { nowhere } from './testing/send.ts'

/**
 * These tests send requests that are designed to be expensive. Each must be rejected or answered quickly, while other requests
 * are served.
 */
const MAX_BODY = 1_500_000
let server: TestServer
let owner: Client
let rich: Rich
let path: string
beforeAll(async () => {
  server = await bootServer({
    env: { POSTIL_MAX_BODY: String(MAX_BODY) },
    http: { bodyIdleMs: 1000, headersTimeoutMs: 1000, requestTimeoutMs: 5000 },
  })
  owner = server.clientFor(server.owner)
  const dataset = await server.createDataset({
    fields: [
      { name: 'text', required: true, settings: { type: 'text' } },
      { name: 'image', settings: { type: 'image' } },
    ],
    metadata_properties: [
      { name: 'term', settings: { type: 'terms' } },
      { name: 'ratio', settings: { type: 'float' } },
    ],
    vectors_settings: [{ name: 'v', dimensions: 3 }],
  })
  rich = await partsOf(owner, dataset)
  path = `/datasets/${dataset.id}/records`
  const fields = { text: 'the quick brown fox' }
  must(
    await owner.post(`${path}/bulk`, {
      items: Array.from({ length: 50 }, () => ({ fields, metadata: { term: 'a', ratio: 1 } })),
    }),
  )
})
afterAll(() => server.close())

/**
 * Returns the response to a request that is in progress. The server must also serve another request now. If the first request
 * blocks the server, the test times out.
 */
const servedTogether = async <T>(asked: Promise<T>): Promise<T> => {
  const other = await fetch(`${server.url}/api/v1/version`)
  expect(other.status).toBe(200)
  return asked
}
const LONG = 200_000
const digits = '1'.repeat(LONG)

describe('a text that is expensive to process', () => {
  const record = (more: object) => ({ items: [{ fields: { text: 'x' }, ...more }] })
  const property = (settings: object) => ({ name: 'p', title: 'P', settings })
  type Case = readonly [string, () => Promise<{ status: number }>, number]
  const post = (to: string, body: object) => () => owner.post(to, body)
  const numerals = [
    `${digits}x`,
    `${digits}.${digits}x`,
    `${' '.repeat(LONG)}x`,
    `1${' '.repeat(LONG)}x`,
    `1e${digits}x`,
    `.${digits}x`,
    `+${digits}-`,
  ]
  const range = (ge: string) => ({
    filters: { and: [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'ratio' }, ge }] },
  })
  const since = (ge: string) => ({
    filters: { and: [{ type: 'range', scope: { entity: 'record', property: 'inserted_at' }, ge }] },
  })
  const ofDataset = (to: string) => () => `/datasets/${rich.dataset.id}/${to}`
  const lazily = (to: () => string, body: object) => () => owner.post(to(), body)
  const cases: readonly Case[] = [
    ...numerals.flatMap((text, i): Case[] => [
      [`numeral ${i} as a least float`, lazily(ofDataset('metadata-properties'), property({ type: 'float', min: text })), 422],
      [
        `numeral ${i} as a least integer`,
        lazily(ofDataset('metadata-properties'), property({ type: 'integer', min: text })),
        422,
      ],
      [`numeral ${i} in a vector`, lazily(() => `${path}/bulk`, record({ vectors: { v: [text, 1, 2] } })), 422],
      [
        `numeral ${i} in a score`,
        lazily(() => `${path}/bulk`, record({ suggestions: [{ question_id: nowhere, value: 'x', score: text }] })),
        422,
      ],
      [`numeral ${i} in a filter`, lazily(() => `${path}/search`, range(text)), 422],
      [`numeral ${i} as a date`, lazily(() => `${path}/search`, since(text)), 422],
    ]),
    [
      'an agent of dashes only',
      lazily(() => `${path}/bulk`, record({ suggestions: [{ question_id: nowhere, value: 'x', agent: '-'.repeat(LONG) }] })),
      422,
    ],
    ['an endless UUID', post('/workspaces', { id: 'a'.repeat(LONG), name: 'x' }), 422],
    ['a workspace name', post('/workspaces', { name: `${'a'.repeat(LONG)}!` }), 422],
    [
      'an image URL',
      lazily(() => `${path}/bulk`, { items: [{ fields: { text: 'x', image: `https://${'a'.repeat(LONG)}` } }] }),
      422,
    ],
    ['a scheme', lazily(() => `${path}/bulk`, { items: [{ fields: { text: 'x', image: `${'a'.repeat(LONG)}:` } }] }), 422],
    ['a data URL', lazily(() => `${path}/bulk`, { items: [{ fields: { text: 'x', image: `data:${';'.repeat(LONG)}` } }] }), 422],
    ['a time zone of a date', lazily(() => `${path}/search`, since(`2024-01-01T00:00:00${' '.repeat(LONG)}+`)), 422],
  ]
  test.each(cases)('%s', async (_name, ask, status) => {
    expect((await servedTogether(ask())).status).toBe(status)
  })
})

describe('a text query that is expensive to process', () => {
  const n = 20_000
  const queries: readonly (readonly [string, string])[] = [
    ['opening brackets', '('.repeat(LONG)],
    ['brackets', '('.repeat(n) + 'fox' + ')'.repeat(n)],
    ['closing brackets', ')'.repeat(LONG)],
    ['quotes', '"'.repeat(LONG)],
    ['unclosed phrases', '"a '.repeat(n)],
    ['minus signs', '-'.repeat(LONG)],
    ['negations', '-a '.repeat(n)],
    ['alternatives', 'a|'.repeat(n)],
    ['vertical bars', '|'.repeat(LONG)],
    ['words', 'fox '.repeat(n)],
    ['different words', Array.from({ length: n }, (_, i) => `w${i}`).join(' ')],
    ['different words joined by OR', Array.from({ length: n }, (_, i) => `w${i}`).join('|')],
    ['prefixes', Array.from({ length: n }, (_, i) => `w${i}*`).join(' ')],
    ['fuzzy words', Array.from({ length: n }, (_, i) => `w${i}~2`).join('|')],
    ['an endless fuzzy word', `${'a'.repeat(LONG)}~2`],
    ['an endless fuzzy distance', `fox~${digits}`],
    ['an endless phrase slop', `"quick fox"~${digits}`],
    ['an endless phrase', `"${'the quick '.repeat(n)}"`],
    ['an endless word', 'a'.repeat(LONG)],
    ['wildcards', '*'.repeat(LONG)],
    ['ideographs', '字'.repeat(LONG)],
    ['combining marks', `a${'\u0301'.repeat(LONG)}`],
    ['a mix of all syntax', '(-"a b"~2 | (c* + d~1) '.repeat(n)],
  ]
  test.each(queries)('%s', async (_name, q) => {
    const answer = await servedTogether(owner.post<SearchResult>(`${path}/search`, { query: { text: { q } } }))
    expect([200, 422]).toContain(answer.status)
  })
})

describe('JSON nested a million levels deep', () => {
  const deep = (around: string) => around.replace('?', '['.repeat(1_000_000))
  test.each([
    ['records', '{"items": [{"fields": {"text": "x"}, "metadata": {"a": ?', (): string => `${path}/bulk`],
    ['custom fields', '{"items": [{"fields": {"text": ?', (): string => `${path}/bulk`],
    ['a filter', '{"filters": {"and": [?', (): string => `${path}/search`],
    ['unknown keys', '{"name": "x", "unknown": ?', (): string => '/workspaces'],
    ['an answer', '{"items": ?', (): string => '/me/responses/bulk'],
  ] as const)('is rejected in %s', async (_name, body, to) => {
    expect(problemsIn(await servedTogether(owner.post(to(), deep(body))))).toEqual([['json_invalid', 'body', expect.any(Number)]])
  })

  it('isn’t read to the end for an unauthenticated client', async () => {
    expect((await servedTogether(server.clientFor(null).post(`${path}/bulk`, deep('{"items": ?')))).status).toBe(401)
  })
})

describe('a bulk request that is too large', () => {
  const large = () => JSON.stringify({ items: [{ fields: { text: 'x'.repeat(MAX_BODY) } }] })

  it('is rejected with the name of the setting, and the connection stays open', async () => {
    for (const method of ['post', 'put'] as const) {
      const answer = await servedTogether(owner[method](`${path}/bulk`, large()))
      expect([answer.status, answer.body]).toEqual([413, { detail: expect.stringContaining('POSTIL_MAX_BODY') }])
    }
    expect((await servedTogether(server.clientFor(null).post(`${path}/bulk`, large()))).status).toBe(401)
    expect((await owner.get(`${path}?limit=1`)).status).toBe(200)
  })

  it('is accepted up to exactly the size limit', async () => {
    const body = (length: number) => JSON.stringify({ items: [{ fields: { text: 'a '.repeat(length / 2) } }] })
    const most = body(MAX_BODY - 100)
    const filled = most + ' '.repeat(MAX_BODY - most.length)
    expect(must(await owner.post<{ items: Record[] }>(`${path}/bulk`, filled)).items).toHaveLength(1)
    expect((await owner.post(`${path}/bulk`, `${filled} `)).status).toBe(413)
  })

  it('isn’t decompressed', async () => {
    const packed = { 'content-encoding': 'gzip' }
    const body = { items: [{ fields: { text: 'packed' } }] }
    const answer = await owner.post(`${path}/bulk`, body, packed)
    // The server doesn't decompress bodies that are declared as compressed, so no body can grow beyond the limit.
    expect([201, 415, 422]).toContain(answer.status)
    const bomb = Buffer.from('1f8b0800000000000003', 'hex').toString('latin1')
    expect((await owner.post(`${path}/bulk`, bomb, packed)).status).toBe(422)
  })
})

describe('slow clients', () => {
  it('are disconnected if they never finish their bulk requests, while others are served', async () => {
    const head = `POST /api/v1${path}/bulk HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${server.owner.api_key}\r\ncontent-length: 1000\r\n\r\n{"items": [`
    const slow = await Promise.all(Array.from({ length: 60 }, () => rawConnection(server.url)))
    for (const connection of slow) connection.send(head)
    for (let i = 0; i < 10; i += 1) {
      expect((await servedTogether(owner.post(`${path}/search?limit=1`, {}))).status).toBe(200)
      expect((await owner.post(`${path}/bulk`, { items: [{ fields: { text: `x ${i}` } }] })).status).toBe(201)
    }
    const answers = await Promise.all(slow.map((connection) => connection.until((text) => text.includes('detail'))))
    expect(new Set(answers.map((text) => text.split(' ')[1]))).toEqual(new Set(['408']))
    for (const connection of slow) connection.end()
  })

  it('don’t slow down others when they never read their responses', async () => {
    const ask = `GET /api/v1${path}?limit=50 HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${server.owner.api_key}\r\n\r\n`
    const deaf = await Promise.all(Array.from({ length: 5 }, () => rawConnection(server.url)))
    for (const connection of deaf) connection.send(ask.repeat(5))
    expect((await servedTogether(owner.get(`${path}?limit=1`))).status).toBe(200)
    for (const connection of deaf) connection.end()
    expect((await owner.get(`${path}?limit=1`)).status).toBe(200)
  })
})

describe('malformed requests', () => {
  const odd = async (request: string) => {
    const connection = await rawConnection(server.url)
    connection.send(request)
    const answer = await connection.until((text) => /\r\n\r\n.*\}/s.test(text))
    connection.end()
    return { status: Number(answer.split(' ')[1]), text: answer }
  }
  const line = (method: string, to: string, headers: string, body = '') =>
    `${method} ${to} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n${body}`

  test.each([
    ['two content lengths', line('POST', '/api/v1/workspaces', 'content-length: 5\r\ncontent-length: 6\r\n', '{}'), [400]],
    [
      'a content length and chunked encoding',
      line('POST', '/api/v1/workspaces', 'content-length: 5\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'),
      [400],
    ],
    ['a broken chunk', line('POST', '/api/v1/token', 'transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), [400]],
    ['a negative length', line('POST', '/api/v1/workspaces', 'content-length: -1\r\n'), [400]],
    ['an unknown method', line('BREW', '/api/v1/workspaces', ''), [400]],
    ['a method override header', line('POST', '/api/v1/users', 'x-http-method-override: DELETE\r\ncontent-length: 0\r\n'), [401]],
    ['a NUL in the path', 'GET /api/v1/users/\0 HTTP/1.1\r\nhost: localhost\r\n\r\n', [400]],
    ['a line break in the path', 'GET /api/v1/users/%0d%0aset-cookie:x HTTP/1.1\r\nhost: localhost\r\n\r\n', [401, 404]],
    ['an API key with non-ASCII bytes', line('GET', '/api/v1/me', 'x-argilla-api-key: \u00ff\u00fe\u00e9\r\n'), [401]],
    ['two API keys', line('GET', '/api/v1/me', 'x-argilla-api-key: a\r\nx-argilla-api-key: b\r\n'), [401]],
    ['a long bearer token', line('GET', '/api/v1/me', `authorization: Bearer ${'a.'.repeat(5000)}\r\n`), [401]],
    ['an endless path', line('GET', `/api/v1/users/${'a'.repeat(10_000)}`, ''), [404]],
  ] as const)('%s', async (_name, request, statuses) => {
    const { status, text } = await odd(request)
    expect(statuses).toContain(status)
    expect(text).toMatch(/content-type: application\/json/i)
    expect(text).not.toMatch(/set-cookie/i)
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200)
  })

  it('accepts repeated, nested and numerous parameters without failing', async () => {
    const statusOf = async (query: string) => (await servedTogether(owner.get(`${path}?${query}`))).status
    expect(await statusOf('limit=1&limit=2')).toBe(422)
    expect(await statusOf('offset[]=1&limit[a]=2')).toBe(200)
    expect(await statusOf(`${'include=responses&'.repeat(500)}limit=1`)).toBe(200)
    expect(await statusOf(`include=vectors:${'a,'.repeat(5000)}`)).toBe(200)
    expect(await statusOf(Array.from({ length: 1000 }, (_, i) => `a${i}=${i}`).join('&'))).toBe(200)
    expect(await statusOf('limit=1&%zz=%zz&&&==')).toBe(200)
    expect((await owner.get('/me/datasets?name=a&name=b')).status).toBe(422)
    expect((await owner.delete(`${path}?ids=${crypto.randomUUID()}&ids=${crypto.randomUUID()}`)).status).toBe(204)
  })
})
