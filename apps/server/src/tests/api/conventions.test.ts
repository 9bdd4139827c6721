import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { problemsIn, unauthorizedBody, validationBody } from './testing/bodies.ts'
import { nowhere, paramsOf, type Sent, served, urlOf } from './testing/send.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
type Init = { readonly method?: string; readonly body?: string; readonly headers?: { readonly [name: string]: string } }
const raw = async (url: string, init: Init = {}) => {
  // A Blob without a type is sent without a content type.
  const body = init.body === undefined ? {} : { body: new Blob([init.body]) }
  const answer = await fetch(`${server.url}${url}`, { redirect: 'manual', ...init, ...body })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text }
}
const withKey = () => ({ 'x-argilla-api-key': server.owner.api_key })
const ask = (endpoint: AnyEndpoint, sent: Sent, init: Init = {}) =>
  raw(urlOf(endpoint, sent), { method: endpoint.method, ...init, headers: { ...withKey(), ...init.headers } })

const line = (endpoint: AnyEndpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const
const routes = served.map(line)
const needsUser = served.filter(({ access }) => access === 'user').map(line)
const takesJson = served.filter(({ bodyKind }) => bodyKind === 'json')
const paths = [...new Set(served.map(({ path }) => path))]
const exampleOf = (path: string) => path.replace(/:\w+/g, nowhere)
const shapeOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
/**
 * Returns the methods that are allowed for an example URL of this path. Includes the methods of all other paths that match the
 * URL: for example, `/users/me` also matches `/users/:id`.
 */
const methodsOf = (path: string) => [
  ...new Set(served.filter((endpoint) => shapeOf(endpoint.path).test(exampleOf(path))).map(({ method }) => method as string)),
]

describe('a request without credentials', () => {
  test.each(needsUser)('%s returns 401 even if other things are wrong', async (_name, endpoint) => {
    const params = Object.fromEntries(paramsOf(endpoint).map((name) => [name, 'no-id']))
    const body = endpoint.bodyKind === 'json' ? { body: '[]' } : {}
    for (const headers of [
      {},
      { 'x-argilla-api-key': 'made up' },
      { authorization: 'Basic x' },
      { cookie: 'postil_session=x' },
    ]) {
      const answer = await raw(urlOf(endpoint, { params, query: { limit: 'x' } }), { method: endpoint.method, headers, ...body })
      expect([answer.status, answer.body]).toEqual([401, unauthorizedBody])
      expect(answer.headers.get('www-authenticate')).toBeNull()
    }
    const bearer = { authorization: 'Bearer made.up.token' }
    const answer = await raw(urlOf(endpoint, { params }), { method: endpoint.method, headers: bearer, ...body })
    expect([answer.status, answer.body]).toMatchObject([401, { detail: { params: { detail: 'Invalid token' } } }])
  })

  test.each(takesJson.map(line))('%s reports malformed JSON', async (_name, endpoint) => {
    const answer = await raw(urlOf(endpoint, {}), { method: endpoint.method, body: '{"a": 1,}' })
    expect([answer.status, answer.body]).toEqual([422, validationBody(['json_invalid', 'body', 8])])
  })
})

describe('a path', () => {
  test.each(paths)('%s returns 405 for every undefined method, including HEAD', async (path) => {
    const methods = methodsOf(path)
    for (const method of METHODS.filter((one) => !methods.includes(one))) {
      const answer = await raw(exampleOf(path), { method, headers: withKey() })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, [...methods].sort().join(', ')])
      expect(answer.headers.get('content-type')).toBe('application/json')
      if (method !== 'HEAD') expect(answer.body).toEqual({ detail: 'Method Not Allowed' })
    }
  })

  test.each(routes)('%s with a trailing slash redirects to the path without it', async (_name, endpoint) => {
    const url = exampleOf(endpoint.path)
    const body = endpoint.bodyKind === 'none' ? {} : { body: '{}' }
    const answer = await raw(`${url}/?a=1`, { method: endpoint.method, ...body })
    expect([answer.status, answer.headers.get('location'), answer.body]).toEqual([307, `${server.url}${url}?a=1`, ''])
  })

  const naming = needsUser.filter(([, endpoint]) => paramsOf(endpoint).some((name) => name !== 'job_id'))
  test.each(naming)('%s requires UUIDs, and reports every invalid one together with an invalid body', async (_name, endpoint) => {
    // A stored file's name and the number of a schema version are not UUIDs. Other tests cover their valid values.
    const names = paramsOf(endpoint).filter((name) => name !== 'name' && name !== 'version_no')
    for (const wrong of ['1', 'null', '../..', "' OR 1=1 --", '\0', `${nowhere}x`, '{}', 'ａ'.repeat(32)]) {
      const params = Object.fromEntries(names.map((name) => [name, wrong]))
      const body = endpoint.bodyKind === 'json' ? { body: '[]' } : {}
      const problems = problemsIn(await ask(endpoint, { params }, body))
      expect(problems.filter(([, where, name]) => where === 'path' && name !== 'name')).toEqual(
        names.map((name) => ['uuid_parsing', 'path', name]),
      )
      const bodyProblems = problems.filter(([, where]) => where === 'body')
      expect(bodyProblems).toEqual(endpoint.bodyKind === 'json' ? [['model_attributes_type', 'body']] : [])
    }
  })

  it('accepts a UUID in any case, with or without hyphens', async () => {
    const { id } = await server.createWorkspace()
    const url = (form: string) => `/api/v1/workspaces/${form}`
    for (const form of [id, id.toUpperCase(), id.replaceAll('-', ''), id.replaceAll('-', '').toUpperCase()]) {
      expect(await raw(url(form), { headers: withKey() })).toMatchObject({ status: 200, body: { id } })
    }
    for (const form of [`{${id}}`, `urn:uuid:${id}`, ` ${id}`, id.replace('-', '')]) {
      expect((await raw(url(encodeURIComponent(form)), { headers: withKey() })).status).toBe(422)
    }
  })

  it('that doesn’t exist returns 404 in JSON, even next to and between existing paths', async () => {
    const nothing = ['', '/me/nothing', `/users/${nowhere}/nothing`, '/users//workspaces', '/oauth2', '/Users', '/users;x=1']
    for (const path of nothing) {
      const answer = await raw(`/api/v1${path}`, { headers: withKey() })
      expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Not Found' }])
    }
  })

  it('that clients might expect but the wire lacks returns 404 or 405', async () => {
    const missing = ['/workspaces', '/fields', '/questions', `/datasets/${nowhere}/metadata-properties`]
    const own = ['fields', 'questions', 'metadata-properties', 'vectors-settings', 'responses', 'suggestions']
    for (const path of [...missing, ...own.map((name) => `/${name}/${nowhere}`)]) {
      const { status } = await raw(`/api/v1${path}`, { headers: withKey() })
      expect([path, [404, 405].includes(status)]).toEqual([path, true])
    }
    for (const [method, path] of [
      ['POST', `/datasets/${nowhere}/records`],
      ['PATCH', `/datasets/${nowhere}/records`],
      ['PATCH', `/workspaces/${nowhere}`],
    ] as const) {
      expect([method, (await raw(`/api/v1${path}`, { method, headers: withKey() })).status]).toEqual([method, 405])
    }
  })
})

describe('a request body', () => {
  test.each(takesJson.map(line))('%s requires a JSON object', async (_name, endpoint) => {
    const object = validationBody(['model_attributes_type', 'body'])
    for (const body of ['[]', '"text"', '7', 'true']) {
      const answer = await ask(endpoint, {}, { body })
      expect([body, answer.status, answer.body]).toEqual([body, 422, object])
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ]) {
      const answer = await ask(endpoint, {}, { body: '{}', headers: { 'content-type': type } })
      expect([type, answer.status, answer.body]).toEqual([type, 422, object])
    }
    for (const init of [{}, { body: 'null' }, { headers: { 'content-type': 'application/json' } }]) {
      expect(problemsIn(await ask(endpoint, {}, init))).toEqual([['missing', 'body']])
    }
  })
})

describe('a page of records', () => {
  const paged = served.filter(({ query }) => query.safeParse({ limit: '1000' }).data?.limit === 1000).map(line)
  it('is returned by three routes', () => {
    expect(paged.map(([name]) => name)).toHaveLength(3)
  })

  test.each(paged)('%s validates offset, limit and include', async (_name, endpoint) => {
    const problemsOf = async (query: { [name: string]: string }) =>
      problemsIn(await ask(endpoint, { query }, endpoint.bodyKind === 'json' ? { body: '{}' } : {}))
    expect(await problemsOf({ offset: '-1' })).toEqual([['greater_than_equal', 'query', 'offset']])
    expect(await problemsOf({ limit: '0' })).toEqual([['greater_than_equal', 'query', 'limit']])
    expect(await problemsOf({ limit: '1001' })).toEqual([['less_than_equal', 'query', 'limit']])
    expect(await problemsOf({ limit: 'x', offset: '1.5' })).toEqual([
      ['int_parsing', 'query', 'offset'],
      ['int_parsing', 'query', 'limit'],
    ])
  })
})
