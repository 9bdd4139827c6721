import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from '@postil/contract/examples/requests.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApi, Operation } from '#platform/http/api-docs/openapi.ts'
import { routesWith } from './routes.ts'

let server: TestServer
let document: OpenApi
beforeAll(async () => {
  server = await bootServer()
  document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as OpenApi
})
afterAll(() => server.close())

const operations = (): { readonly path: string; readonly method: string; readonly operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)))
}

describe('openapi.json', () => {
  it('contains every route once, with its parameters, responses and a unique operation name', () => {
    const routes = routesWith(defaultLimits).map(({ endpoint }) => endpoint)
    const wanted = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)).toEqual(expect.arrayContaining(wanted))
    expect(operations()).toHaveLength(wanted.length)
    expect(new Set(operations().map(({ operation }) => operation.operationId)).size).toBe(wanted.length)
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const given = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(given.map(({ name }) => name)).toEqual(named)
      expect(given.every(({ required }) => required)).toBe(true)
      expect(Object.keys(operation.responses).some((status) => /^[23]/.test(status))).toBe(true)
      expect(operation.summary).not.toBe('')
    }
  })

  it('describes records and answers, and contains no broken references', () => {
    const create = document.paths['/api/v1/records/{record_id}/responses']?.['post']
    expect(create?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      properties: { status: { enum: ['draft', 'submitted', 'discarded'] }, values: expect.anything() },
      required: expect.arrayContaining(['status']),
    })
    expect(Object.keys(create?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '401', '403', '404', '409', '413', '422']),
    )
    const search = document.paths['/api/v1/me/datasets/{dataset_id}/records/search']?.['post']
    expect(search?.parameters.map(({ name }) => name)).toEqual(['dataset_id', 'offset', 'limit', 'include'])
    const include = search?.parameters.at(-1)?.schema
    expect(include).toMatchObject({ type: 'array', items: { type: 'string' } })
    expect(include).not.toHaveProperty('default')
    for (const { headers, content } of operations().flatMap(({ operation }) => Object.values(operation.responses))) {
      const isError = refsIn(content).includes('#/components/schemas/Problem')
      expect(Object.keys(headers ?? {})).toEqual(isError ? ['Postil-Error'] : [])
    }
    for (const ref of refsIn(document)) {
      const found = ref
        .slice(2)
        .split('/')
        .reduce((at: unknown, name) => (at as { [name: string]: unknown } | undefined)?.[name], document)
      expect(found, ref).toBeDefined()
    }
  })
})

describe('examples', () => {
  const endpoints = routesWith(defaultLimits).map(({ endpoint }) => endpoint)
  const operationOf = ({ id }: { readonly id: string }) =>
    operations().find(({ operation }) => operation.operationId === id)?.operation as Operation

  it.each(endpoints)('$id has an example request and response that match its schemas', (endpoint) => {
    const { requestBody, parameters, responses } = operationOf(endpoint)
    for (const { name, required, example } of parameters) if (required) expect(example, name).toBeDefined()
    const written = (where: string) =>
      Object.fromEntries(
        parameters.flatMap(({ name, in: at, example }) => (at === where && example !== undefined ? [[name, example]] : [])),
      )
    expect(endpoint.params.safeParse(written('path')).error).toBeUndefined()
    expect(endpoint.query.safeParse(written('query')).error).toBeUndefined()
    for (const { example } of endpoint.bodyKind === 'stream' ? [] : Object.values(requestBody?.content ?? {})) {
      expect(example).toBeDefined()
      expect(endpoint.body.safeParse(example).error).toBeUndefined()
    }
    const answer = responses[String(endpoint.status)]?.content?.['application/json']
    if (answer) expect(endpoint.result.safeParse(answer.example).error).toBeUndefined()
  })

  it('exist only for existing routes', () => {
    const known = endpoints.map(({ id }) => id)
    for (const id of [...Object.keys(BODY_EXAMPLES), ...Object.keys(PARAMETER_EXAMPLES)]) expect(known).toContain(id)
  })
})

describe('the documentation page', () => {
  it('shows every route, runs no scripts and fetches nothing', async () => {
    for (const name of ['docs', 'redoc']) {
      const answer = await fetch(`${server.url}/api/v1/${name}`)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      const html = await answer.text()
      for (const { path } of operations()) expect(html).toContain(path)
      expect(html).not.toMatch(/<script|<link|<img|(src|href)="https?:|url\(/)
    }
  })

  it('is omitted if the operator disables it', async () => {
    const closed = await bootServer({ env: { POSTIL_DOCS_ENABLED: 'false' } })
    for (const name of ['docs', 'redoc', 'openapi.json']) {
      expect((await fetch(`${closed.url}/api/v1/${name}`)).status).toBe(404)
    }
    await closed.close()
  })
})
