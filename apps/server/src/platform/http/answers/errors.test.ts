import {
  business,
  conflict,
  forbidden,
  invalid,
  notFound,
  Problem,
  tooLarge,
  tooMany,
  unauthorized,
  unavailable,
  unprocessable,
} from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { answering } from '../testing/echo.ts'
import { rawConnection } from '../testing/raw.ts'
import { rawJson, reply } from './answers.ts'

const coded = (name: string, params: unknown) => ({ detail: { code: `argilla.api.errors::${name}`, params } })
const errors = [{ type: 'missing', loc: ['body', 'a'], msg: 'Field required' }]
const secretive = () => {
  throw new Error('SELECT password_hash FROM users')
}

const cases: readonly (readonly [string, Problem, number, unknown])[] = [
  ['unauthorized', unauthorized(), 401, coded('UnauthorizedError', { detail: 'Could not validate credentials' })],
  ['forbidden', forbidden(), 403, coded('ForbiddenOperationError', { detail: 'Operation not allowed' })],
  ['validation', invalid(errors as never), 422, coded('ValidationError', { errors })],
  ['not-found', notFound('Dataset', '1'), 404, { detail: 'Dataset with id `1` not found' }],
  ['conflict', conflict('taken', { response: null }), 409, { detail: 'taken', response: null }],
  ['unprocessable', unprocessable('no'), 422, { detail: 'no' }],
  ['coded', unprocessable(message('archiveDamaged', { file: '"ä"' })), 422, { detail: 'A file in the archive is damaged: "ä"' }],
  ['business', business('missing_vector', 'no vector'), 422, { code: 'missing_vector', message: 'no vector' }],
  ['bad', new Problem({ kind: 'bad_request', detail: 'bad' }), 400, coded('BadRequestError', { message: 'bad' })],
  ['large', tooLarge('big'), 413, { detail: 'big' }],
  ['many', tooMany('wait', 1.2), 429, { detail: 'wait' }],
  ['unavailable', unavailable('later', 3), 503, { detail: 'later' }],
]

let server: TestServer
let bare: TestServer
beforeAll(async () => {
  const extraRoutes = [
    ...cases.map(([path, problem]) =>
      answering(`/problem/${path}`, () => {
        throw problem
      }),
    ),
    answering('/fault', secretive),
    answering('/raw', () => rawJson('{"a":  1}'), z.strictObject({ a: z.int() })),
    answering('/reply', () => reply(200, { a: 1 }, { 'x-more': 'yes' }), z.strictObject({ a: z.int() })),
    answering('/key-too-many', () => ({ a: 1, password_hash: 'x' }), z.object({ a: z.int() })),
    answering('/wrong-type', () => ({ a: '1' }), z.strictObject({ a: z.int() })),
    answering('/wrong-status', () => reply(202, { a: 1 }), z.strictObject({ a: z.int() })),
  ]
  server = await bootServer({ extraRoutes })
  bare = await bootServer({ extraRoutes, validateResponses: false })
})
afterAll(() => Promise.all([server.close(), bare.close()]))

test.each(cases)('the problem %s produces the response that the wire defines', async (path, _problem, status, body) => {
  const answer = await server.clientFor(null).get(`/problem/${path}`)
  expect([answer.status, answer.body]).toEqual([status, body])
  expect(answer.headers.get('content-type')).toBe('application/json')
})

describe('the message of a problem', () => {
  it('is sent as data in a header next to the sentence', async () => {
    const { headers, body } = await server.clientFor(null).get('/problem/coded')
    expect(body).toEqual({ detail: 'A file in the archive is damaged: "ä"' })
    const sent = { code: 'archiveDamaged', params: { file: '"ä"' } }
    expect(headers.get('postil-error')).toBe(encodeURIComponent(JSON.stringify(sent)))
  })

  it('is missing if the sentence has no code', async () => {
    expect((await server.clientFor(null).get('/problem/unprocessable')).headers.has('postil-error')).toBe(false)
  })
})

test('waiting times are sent in whole seconds', async () => {
  expect((await server.clientFor(null).get('/problem/many')).headers.get('retry-after')).toBe('2')
  expect((await server.clientFor(null).get('/problem/unavailable')).headers.get('retry-after')).toBe('3')
})

describe('an unexpected error', () => {
  it('reveals no internal details', async () => {
    const answer = await bare.clientFor(null).get('/fault')
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(
      coded('GenericServerError', {
        type: 'InternalServerError',
        message: expect.stringContaining(answer.headers.get('x-request-id') ?? 'nothing'),
        request: answer.headers.get('x-request-id'),
      }),
    )
    expect(JSON.stringify(answer.body)).not.toContain('SELECT')
  })

  it('keeps the connection open', async () => {
    const connection = await rawConnection(bare.url)
    const ask = (path: string) => connection.send(`GET /api/v1${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    ask('/fault')
    expect(await connection.until((text) => text.includes('GenericServerError'))).toMatch(/^HTTP\/1\.1 500/)
    ask('/version')
    expect(await connection.until((text) => text.includes('2.8.0'))).toMatch(/^HTTP\/1\.1 200/)
    connection.end()
  })
})

describe('a handler', () => {
  it('can return serialized JSON, or its own status and headers', async () => {
    expect(await (await fetch(`${server.url}/api/v1/raw`)).text()).toBe('{"a":  1}')
    expect((await server.clientFor(null).get('/reply')).headers.get('x-more')).toBe('yes')
  })

  it('fails in tests if its response violates the contract', async () => {
    for (const path of ['/key-too-many', '/wrong-type', '/wrong-status']) {
      expect(await server.clientFor(null).get(path)).toMatchObject({ status: 500 })
    }
    expect(await bare.clientFor(null).get('/key-too-many')).toMatchObject({ status: 200 })
  })
})
