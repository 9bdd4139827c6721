import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { compress } from './answers/compression.ts'
import { echo, someText } from './testing/echo.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ extraRoutes: [echo, someText], env: { POSTIL_BASE_URL: '/team' } })
})
afterAll(() => server.close())

const id = '01a1fd3b-1f03-70aa-be00-000000360585'
const send = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { redirect: 'manual', ...init })

describe('paths', () => {
  it('are served below the prefix and nowhere else', async () => {
    expect((await send('/api/v1/version')).status).toBe(200)
    expect((await fetch(new URL('/api/v1/version', server.url))).status).toBe(404)
    const bare = await fetch(server.url, { redirect: 'manual' })
    expect([bare.status, bare.headers.get('location')]).toEqual([307, '/team/'])
  })

  it('return 404 in JSON if they are unknown, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS']) {
      const answer = await send('/api/v1/nothing', { method })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('application/json')
      if (method !== 'HEAD') expect(await answer.json()).toEqual({ detail: 'Not Found' })
    }
    expect((await send('/api/v1')).status).toBe(404)
    expect((await send('/api/v1/%zz')).status).toBe(404)
  })

  it('return 405 with the allowed methods', async () => {
    const answer = await send('/api/v1/users', { method: 'PUT' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(await answer.json()).toEqual({ detail: 'Method Not Allowed' })
    expect((await send(`/api/v1/workspaces/${id}`, { method: 'PATCH' })).headers.get('allow')).toBe('DELETE, GET')
    expect((await send('/api/v1/version', { method: 'HEAD' })).status).toBe(405)
  })

  it('redirect a trailing slash to an absolute location and keep the query', async () => {
    const answer = await send('/api/v1/users/?a=1&b=2', { method: 'POST' })
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `${server.url}/api/v1/users?a=1&b=2`])
    expect((await send('/api/v1/nothing/')).status).toBe(404)
  })

  it('pass long and unusual parameters to the schema', async () => {
    const answer = await server.clientFor(server.owner).get(`/users/${'x'.repeat(500)}`)
    expect(answer.status).toBe(422)
    expect(await server.clientFor(server.owner).get('/users/a%2Fb')).toMatchObject({ status: 422 })
  })
})

describe('the order of checks', () => {
  const nobody = () => server.clientFor(null)

  it('reports malformed JSON first, even without credentials', async () => {
    const answer = await nobody().post('/echo/not-an-id', '{"name": ')
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ type: 'json_invalid', loc: ['body', 9] }] } } },
    })
  })

  it('then requires credentials', async () => {
    const body = {
      detail: { code: 'argilla.api.errors::UnauthorizedError', params: { detail: 'Could not validate credentials' } },
    }
    const answer = await nobody().post('/echo/not-an-id', {})
    expect(answer).toMatchObject({ status: 401, body })
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect((await nobody().get('/users')).body).toEqual(body)
  })

  it('then reports all problems of path, query and body at once', async () => {
    const answer = await server.clientFor(server.owner).post('/echo/not-an-id?page=0', { name: '', tags: [1] })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      detail: {
        code: 'argilla.api.errors::ValidationError',
        params: {
          errors: [
            { type: 'uuid_parsing', loc: ['path', 'id'], msg: expect.any(String) },
            { type: 'greater_than_equal', loc: ['query', 'page'], msg: expect.any(String) },
            { type: 'string_too_short', loc: ['body', 'name'], msg: expect.any(String) },
            { type: 'string_type', loc: ['body', 'tags', 0], msg: expect.any(String) },
          ],
        },
      },
    })
  })

  it('then runs the handler and ignores unknown keys and parameters', async () => {
    const answer = await server
      .clientFor(server.owner)
      .post(`/echo/${id.toUpperCase()}?page=2&x=1`, { name: 'a', tags: ['b'], x: { y: 1 } })
    expect(answer).toMatchObject({ status: 201, body: { id, page: 2, name: 'a', tags: ['b'], username: 'owner' } })
  })
})

describe('responses', () => {
  it('are JSON without a charset, report their duration and are not cached', async () => {
    const { headers } = await server.clientFor(null).get('/version')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d+$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('etag')).toBeNull()
  })

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['', null],
  ])('of 512 bytes or more are compressed as %j allows', async (accept, encoding) => {
    const answer = await send('/api/v1/text/2000', { headers: { 'accept-encoding': accept } })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    if (encoding !== null) expect(Number(answer.headers.get('content-length'))).toBeLessThan(200)
    expect(await answer.json()).toEqual({ text: 'x'.repeat(2000) })
  })

  it('are not compressed if they are small', async () => {
    const answer = await send('/api/v1/text/100', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  it('are compressed off the event loop', async () => {
    let turns = 0
    let done = false
    const turn = () => {
      turns += 1
      if (!done) setImmediate(turn)
    }
    setImmediate(turn)
    const packed = await compress(Buffer.from('postil '.repeat(3_000_000)), 'br')
    done = true
    expect(packed?.length).toBeLessThan(1_000_000)
    expect(turns).toBeGreaterThan(0)
  })
})
