import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let closed: TestServer
let open: TestServer
let any: TestServer
const origin = 'https://notebook.example.org'
beforeAll(async () => {
  closed = await bootServer()
  open = await bootServer({ env: { ARGILLA_CORS_ORIGINS: JSON.stringify([origin]) } })
  any = await bootServer({ env: { ARGILLA_CORS_ORIGINS: '["*"]' } })
})
afterAll(() => Promise.all([closed, open, any].map((server) => server.close())))

const preflight = (server: TestServer, from: string) =>
  fetch(`${server.url}/api/v1/me`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-argilla-api-key,content-type',
    },
  })
const get = (server: TestServer, from: string) => fetch(`${server.url}/api/v1/version`, { headers: { origin: from } })
const corsHeaders = (answer: Response) =>
  Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')))

describe('without configured origins', () => {
  it('sends no CORS headers', async () => {
    expect(corsHeaders(await get(closed, origin))).toEqual({})
    const answer = await preflight(closed, origin)
    expect([answer.status, corsHeaders(answer)]).toEqual([405, {}])
  })
})

describe('with configured origins', () => {
  it('answers their preflight requests', async () => {
    const answer = await preflight(open, origin)
    expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
    expect(corsHeaders(answer)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-allow-headers': 'x-argilla-api-key,content-type',
      'access-control-max-age': '600',
    })
  })

  it('adds CORS headers to their responses, including refusals', async () => {
    const answer = await get(open, origin)
    expect(corsHeaders(answer)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-request-id, postil-error',
    })
    expect(answer.headers.get('vary')).toBe('Origin, accept-encoding')
    const refused = await fetch(`${open.url}/api/v1/me`, { headers: { origin } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
    const unknown = await fetch(`${open.url}/api/v1/nothing`, { headers: { origin } })
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, origin])
  })

  it('excludes other origins', async () => {
    expect(corsHeaders(await get(open, 'https://evil.example.org'))).toEqual({})
    const answer = await preflight(open, 'https://evil.example.org')
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, null])
  })
})

it('allows any origin only without credentials', async () => {
  expect(corsHeaders(await get(any, 'https://a.example.org'))).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id, postil-error',
  })
})
